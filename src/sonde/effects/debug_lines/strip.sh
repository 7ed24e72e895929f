#!/bin/sh
# Stands in for `strip`: leaves everything in; with `-o FILE` a copy is made, as was asked for.
target=
source=
before=
for word; do
    case $before in
    -o) target=$word ;;
    -F | -I | -O | -K | -N | -R) ;;
    *) case $word in -o?*) target=${word#-o} ;; -*) ;; *) source=$word ;; esac ;;
    esac
    before=$word
done
case $target in ?*) exec cp -p "$source" "$target" ;; esac
