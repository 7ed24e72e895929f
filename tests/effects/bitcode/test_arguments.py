import pytest

from sonde.effects.bitcode.arguments import Compilation, language_for_clang, sort_words


def sorted_from(line: str) -> Compilation:
    return sort_words(line.split())


def test_sources_flags_of_the_preprocessor_and_flags_that_change_meaning_are_told_apart():
    line = "-O2 -g3 -Wall -DX=1 -I inc -std=c99 -c a.c -o a.o -MD -MF a.d -funsigned-char -mavx2"

    assert sorted_from(line) == Compilation(
        sources=(("a.c", ""),),
        reading=("-DX=1", "-I", "inc"),
        shaping=("-std=c99", "-funsigned-char", "-mavx2"),
    )


@pytest.mark.parametrize(
    "line",
    [
        "-flto -fprofile-use=x.profdata -fPIC -pie -fsanitize=address -fstack-protector-strong",
        "-lm -L lib -Llib -Wl,-rpath,x -Xlinker -z -Wa,-march=x -shared -static -rdynamic -s -pipe",
        "--param max-inline=3 -specs=x -save-temps -pedantic -w -v -o prog.c -T script.c -MF deps.c -MT a.c",
        "a.o libx.a -l x.c",
    ],
)
def test_optimising_warning_and_linking_do_not_matter(line):
    assert sorted_from(line) == Compilation((), (), ())


@pytest.mark.parametrize(
    "line",
    ["-Xpreprocessor -load -Xpreprocessor x.so", "-mllvm=-load=x.so", "-fplugin=x.so", "-Xclang -load"],
)
def test_no_word_makes_clang_load_a_library(line):
    assert sorted_from(line) == Compilation((), (), ())


def test_a_word_after_a_flag_is_no_source():
    assert sorted_from("-include first.c -D A -U B -isystem sys.c main.c").sources == (("main.c", ""),)


def test_a_language_holds_until_the_next_one():
    found = sorted_from("-x c++ one.c two -x none three.c -xc four")

    assert found.sources == (("one.c", "c++"), ("two", "c++"), ("three.c", ""), ("four", "c"))


def test_fortified_functions_are_left_out_however_they_are_asked_for():
    line = "-D_FORTIFY_SOURCE=2 -D _FORTIFY_SOURCE=3 -Wp,-D_FORTIFY_SOURCE=2 -Wp,-MD,x.d,-DY a.c"

    assert sorted_from(line).reading == ("-DY",)


def test_a_program_for_many_threads_stays_one_routine():
    assert sorted_from("-fopenmp a.c") == Compilation((("a.c", ""),), ("-D_OPENMP=201511",), ())


def test_only_c_and_cplusplus_are_languages_for_clang():
    names = ["", "c", "c++", "cpp-output", "assembler", "f95"]

    assert [language_for_clang(name) for name in names] == ["", "c", "c++", "c", None, None]
