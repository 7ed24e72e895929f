"""Programs for the tests of profiles, which reach functions in many ways."""

import os
import subprocess
from pathlib import Path

from tests.needed_programs import require_programs

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
int first(int), second(int), shared(int);
#define APART __attribute__((noinline, noclone))

APART int leaf(int n) { volatile int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }
APART int middle(int n) { return leaf(n) + leaf(2 * n); }
APART int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
APART int odd(int n);
APART int even(int n) { volatile int m = n; return m == 0 ? 1 : odd(m - 1) + leaf(3); }
APART int odd(int n) { volatile int m = n; return m == 0 ? 0 : even(m - 1) + leaf(3); }
APART __attribute__((section("own_section"))) int apart(int n) { return leaf(n) + 1; }
APART int unused(int n) { return leaf(n) + 2; }
APART int in_child(int n) { return leaf(n) + 3; }
APART void *in_thread(void *number) { leaf(*(int *)number); return NULL; }
APART int compare(const void *one, const void *other) { return *(int *)one - *(int *)other; }
__attribute__((constructor)) static void at_start(void) { leaf(5); }

static void in_threads(void)
{
    pthread_t threads[3];
    int number = 100;
    for (int i = 0; i < 3; i++) pthread_create(threads + i, NULL, in_thread, &number);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}

static void open_beside(const char *program, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s", program);
    strcpy(strrchr(path, '/') + 1, name);
    int file = open(path, O_RDONLY);
    if (file >= 0) close(file);
}

int main(int count, char **argv)
{
    const char *what = count > 1 ? argv[1] : "";
    char *six[] = {argv[0], "leaf", NULL}, plugin[4096];
    int numbers[] = {3, 1, 2};
    pid_t child;
    int ends[2];
#define CASE(name) if (strcmp(what, name) == 0)
    CASE("leaf") return leaf(60) == 0;
    CASE("middle") return middle(100) == 0;
    CASE("recursion") return fibonacci(12) + even(9) == 0;
    CASE("section") return apart(10) == 0;
    CASE("threads") in_threads();
    CASE("callback") qsort(numbers, 3, sizeof(int), compare);
    CASE("fork") if (fork() == 0) { in_child(10); _exit(0); }
    CASE("fork, exec") if (fork() == 0) { in_child(10); execv(argv[0], six); }
    CASE("spawn") posix_spawn(&child, argv[0], NULL, NULL, six, environ);
    CASE("killed") {
        if (pipe(ends) != 0) return 1;
        if ((child = fork()) == 0) { in_child(10); if (write(ends[1], "", 1) == 1) pause(); }
        if (read(ends[0], plugin, 1) == 1) kill(child, SIGKILL);
    }
    CASE("system call") if (syscall(SYS_fork) == 0) _exit(0);
    CASE("same name") return first(10) == 0;
    CASE("shared") return shared(10) == 0;
    CASE("plugin") {
        snprintf(plugin, sizeof plugin, "%.*s/plugin.so", (int)(strrchr(argv[0], '/') - argv[0]), argv[0]);
        void *handle = dlopen(plugin, RTLD_NOW);
        if (handle == NULL) { puts(dlerror()); return 7; }
        ((int (*)(int))dlsym(handle, "plugged"))(10);
        dlclose(handle);
    }
    CASE("files") { open_beside(argv[0], "table.dat"); open_beside(argv[0], "missing.dat"); }
    CASE("itself") open_beside(argv[0], strrchr(argv[0], '/') + 1);
    CASE("itself, unnamed") open("/proc/self/exe", O_RDONLY);
    CASE("fails") return 3;
    while (wait(NULL) > 0);
    return 0;
}
"""
SAME_NAME = r"""
static int __attribute__((noinline, noclone)) helper(int n) { volatile int m = n; return m * FACTOR; }
int NAME(int n) { return helper(n) + 1; }
"""
LIBRARY = r"""
static int __attribute__((noinline, noclone)) inner(int n) { volatile int m = n; return m + 1; }
int NAME(int n) { return inner(n) + 1; }
"""


def compile_programs(folder: Path) -> Path:
    """`program`, and the same `fixed` in memory, `traced` with debug information, `static` and `stripped`.

    The static one is missing where there is no static C library.
    """
    require_programs(["cc"], os.environ)

    def compile_c(output: str, text: str, *words: str) -> None:
        (folder / "source.c").write_text(text)
        command = ["cc", "-O1", "-w", "-fno-optimize-sibling-calls", "-pthread", "source.c", *words]
        done = subprocess.run([*command, "-o", output], check=False, cwd=folder, capture_output=True)
        assert done.returncode == 0 or output == "static", done.stderr

    for name, output in (("shared", "libshared.so"), ("plugged", "plugin.so")):
        compile_c(output, LIBRARY.replace("NAME", name), "-shared", "-fPIC")
    for name, factor in (("first", "3"), ("second", "5")):
        text = SAME_NAME.replace("NAME", name).replace("FACTOR", factor)
        (folder / f"{name}.c").write_text(text)
        subprocess.run(["cc", "-O1", "-c", f"{name}.c"], check=True, cwd=folder)
    objects, library = ("first.o", "second.o"), ("libshared.so", "-Wl,-rpath,$ORIGIN")
    compile_c("program", SOURCE, *objects, *library)
    compile_c("fixed", SOURCE, "-no-pie", *objects, *library)
    compile_c("traced", SOURCE, "-g", "-fcf-protection=full", *objects, *library)
    compile_c("static", SOURCE, "-static", "-Dshared=second", *objects)
    subprocess.run(["strip", "program", "-o", "stripped"], check=True, cwd=folder)
    for name in ("source.c", "first.c", "second.c", *objects):
        (folder / name).unlink()
    (folder / "table.dat").write_text("1 2 3")
    return folder
