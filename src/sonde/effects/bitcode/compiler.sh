#!/bin/sh
# Stands in for a compiler of the same name: notes how it is called, and marks what it compiles.
here=@HERE@
mark=@MARK@
name=${0##*/}

# The one behind us on the path is the real one.
path=:$PATH:
case $path in
*:"$here"/compilers:*)
    path=${path%%:"$here"/compilers:*}:${path#*:"$here"/compilers:}
    path=${path#:}
    PATH=${path%:}
    export PATH
    ;;
esac

compiles=no
source=
before=
for word; do
    case $before in
    -x)
        case $word in
        c | c++ | assembler-with-cpp) compiles=yes ;;
        *-header) exec "$name" "$@" ;;
        esac
        ;;
    -o | -I | -D | -U | -include | -imacros | -isystem | -iquote | -idirafter | -MF | -MT | -MQ) ;;
    *)
        case $word in
        -E | -M | -MM | -fsyntax-only | '-###' | -xc-header | -xc++-header) exec "$name" "$@" ;;
        *.h | *.hh | *.hpp | *.hxx | *.H | *.h++ | *.tcc)
            case $word in -*) ;; *) exec "$name" "$@" ;; esac
            ;;
        *.c | *.cc | *.cp | *.cpp | *.cxx | *.c++ | *.C | *.CPP | *.i | *.ii | *.S | *.sx | *.s)
            case $word in -*) ;; *) compiles=yes source=$word ;; esac
            ;;
        -xc | -xc++ | @*) compiles=yes ;;
        esac
        ;;
    esac
    before=$word
done
case $compiles in no) exec "$name" "$@" ;; esac

# The same call has the same name in each revision, so that a cache of compilers can be of use.
call=$(printf '%s\0' "$PWD" "$name" "$@" | sha256sum)
call=c${call%% *}
printf '%s\0' "$PWD" "$name" "$CPATH" "$C_INCLUDE_PATH" "$CPLUS_INCLUDE_PATH" "$@" >"$here/calls/$call"
# Builds may remove what they have generated.
case $source in ?*) cp "$source" "$here/sources/$call" 2>/dev/null ;; esac
case $name in *clang*) set -- "$@" -Qunused-arguments ;; esac
exec "$name" "$@" -fno-lto "-DSONDE_CALL=$call" -include "$mark"
