#!/bin/sh
# Stands in for a compiler of the same name: has it write line numbers, and keeps what would drop them out.
here=@HERE@
name=${0##*/}
path=:$PATH:
case $path in
*:"$here":*)
    path=${path%%:"$here":*}:${path#*:"$here":}
    path=${path#:}
    PATH=${path%:}
    export PATH
    ;;
esac
left=$#
while [ "$left" -gt 0 ]; do
    word=$1
    shift
    left=$((left - 1))
    case $word in
    -s | -g0 | -ggdb0 | -Wl,-s | -Wl,-S | -Wl,--strip-all | -Wl,--strip-debug) ;;
    *) set -- "$@" "$word" ;;
    esac
done
exec "$name" -g1 "$@"
