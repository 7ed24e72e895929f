#!/bin/sh
# Stands in for a compiler of another language than C and C++: notes how it is called.
here=@HERE@
name=${0##*/}
path=:$PATH:
case $path in
*:"$here"/compilers:*)
    path=${path%%:"$here"/compilers:*}:${path#*:"$here"/compilers:}
    path=${path#:}
    PATH=${path%:}
    export PATH
    ;;
esac
call=$(printf '%s\0' "$PWD" "$name" "$@" | sha256sum)
printf '%s\0' "$PWD" "$name" "" "" "" "$@" >"$here/calls/other-${call%% *}"
exec "$name" "$@"
