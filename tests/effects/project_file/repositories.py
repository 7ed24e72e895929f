"""Small made-up repositories, by name: path -> text."""

C_MAIN = '#include <stdio.h>\nint main(void) { puts("--version"); return 0; }\n'

REPOSITORIES = {
    "make": {
        "Makefile": (
            "CC ?= cc\nPROGRAM = packer$(EXE)\nOBJECTS = src/main.o src/pack.o\n\n.PHONY: all clean\n"
            "all: $(PROGRAM)\n\n$(PROGRAM): $(OBJECTS)\n\t$(CC) $(LDFLAGS) -o $@ $^\n\n"
            "src/%.o: src/%.c\n\t$(CC) -c -o $@ $<\n\nclean:\n\trm -f $(OBJECTS)\n"
        ),
        "src/main.c": C_MAIN,
        "src/pack.c": "int pack(void) { return 0; }\n",
    },
    "make-below": {
        "Makefile": (
            "VERSION := $(shell git describe)\ndefault: lib cli\nlib:\n\t$(MAKE) -C lib\n"
            "cli:\n\t+$(MAKE) -C programs all\n"
        ),
        "lib/Makefile": "liba.a: a.o\n\tar rcs $@ $^\n",
        "programs/Makefile": "all: one two\none two: main.c\n\t$(CC) main.c -o $@\n",
        "programs/main.c": "int main(void) { return 0; }\n",
    },
    "make-implicit": {"Makefile": "sorter: sorter.o list.o\n", "sorter.c": C_MAIN},
    "make-opaque": {"Makefile": "include rules.mk\nall: stuff\nstuff:\n\t./do-everything\n"},
    "cmake": {
        "CMakeLists.txt": (
            "cmake_minimum_required(VERSION 3.10)\nproject(zipper C)\n# add_executable(no x.c)\n"
            "add_subdirectory(tools)\nadd_library(zip STATIC zip.c)\n"
        ),
        "tools/CMakeLists.txt": (
            "add_executable(${PROJECT_NAME}-cli main.c)\nadd_executable(helper helper.c)\n"
            "set_target_properties(helper PROPERTIES OUTPUT_NAME zip-helper)\n"
        ),
        "tools/main.c": C_MAIN,
    },
    "cmake-bin": {
        "CMakeLists.txt": (
            "project(a)\nset(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\nadd_executable(a a.c)\n"
        ),
    },
    "cmake-library": {"CMakeLists.txt": "project(z)\nadd_library(z z.c)\n"},
    "meson": {
        "meson.build": "project('tidy', 'c')\nsubdir('src')\n",
        "src/meson.build": "executable('tidy', 'main.c')\nexecutable('gen', 'gen.c')\n",
        "src/main.c": '/* "help" */\n',
    },
    "autotools": {
        "configure.ac": "AC_INIT([grepper], m4_esyscmd([git describe]))\nLT_INIT\n",
        "Makefile.am": "SUBDIRS = src\n",
        "src/Makefile.am": "bin_PROGRAMS = grepper \\\n  helper\ngrepper_SOURCES = main.c\n",
    },
    "configure": {"configure": "#!/bin/sh\n", "Makefile.in": "all:\n"},
    "cargo": {
        "Cargo.toml": '[package]\nname = "quick"\n[[bin]]\nname = "quick-cli"\npath = "src/main.rs"\n',
        "Cargo.lock": '[[package]]\nname = "quick"\n',
        "src/main.rs": 'fn main() { println!("--version"); }\n',
        "src/bin/other.rs": "fn main() {}\n",
    },
    "cargo-library": {"Cargo.toml": '[package]\nname = "a-lib"\n', "src/lib.rs": ""},
    "python": {
        "pyproject.toml": '[project]\nname = "tool-box"\n[dependency-groups]\ndev = ["pytest-benchmark"]\n',
        "src/tool_box/__init__.py": "",
        "src/tool_box/__main__.py": "import argparse\nargparse.ArgumentParser().parse_args()\n",
    },
    "python-install": {
        "setup.py": "setup(setup_requires=['setuptools_scm'], ext_modules=[Extension('x')])\n",
        "fastmath/__init__.py": "",
        "asv.conf.json": '{\n  // where\n  "benchmark_dir": "benchmarks",\n}\n',
        "benchmarks/sums.py": "def time_sum():\n    sum(range(10))\n",
        "Makefile": "test:\n\tpytest\n",
    },
    "unknown": {
        "README.md": "Nothing.\n",
        "bench/run.sh": "hyperfine --warmup 3 -N './run --fast {x}'\nhyperfine --prepare 'sync' 'two'\n",
    },
}


def write_repository(folder, name):
    for path, text in REPOSITORIES[name].items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder
