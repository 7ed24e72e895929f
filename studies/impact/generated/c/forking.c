/* Runs one program in many configurations under one callgrind: a library that is loaded before it. In the place
   of `main` it forks a child for each configuration; the child counts from zero, so what the program executes
   before `main` is left out. Children inherit the translated code, which takes most of the time.

   FORKING_PLAN names a file of texts, each with a zero behind it: for each configuration how many words follow,
   the words, how many variables follow, and these as NAME=value. FORKING_RESULT names the file that gets a line
   for each configuration: the process and how it ended. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

typedef int (*main_function)(int, char **, char **);

static main_function program;
static char plan[1 << 20];
static char *at = plan;

static char *next_text(void)
{
    char *text = at;
    at += strlen(at) + 1;
    return text;
}

static int run_all(int argc, char **argv, char **environment)
{
    FILE *file = fopen(getenv("FORKING_PLAN"), "r");
    FILE *result = fopen(getenv("FORKING_RESULT"), "w");
    static char *words[256];
    size_t size = file != NULL ? fread(plan, 1, sizeof plan - 1, file) : 0;
    (void)argc;
    if (size == 0 || result == NULL)
        _exit(99);
    while (at < plan + size) {
        int status = 0, count = atoi(next_text());
        words[0] = argv[0];
        for (int i = 0; i < count; i++)
            words[i + 1] = next_text();
        words[count + 1] = NULL;
        int variables = atoi(next_text());
        char *first = at;
        for (int i = 0; i < variables; i++)
            next_text();
        fflush(result);
        pid_t child = fork();
        if (child == 0) {
            at = first;
            for (int i = 0; i < variables; i++)
                putenv(next_text());
            alarm(10);
            CALLGRIND_ZERO_STATS;
            exit(program(count + 1, words, environment));
        }
        waitpid(child, &status, 0);
        fprintf(result, "%d %d\n", (int)child, status);
    }
    fclose(result);
    _exit(0);
}

int __libc_start_main(main_function main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end)
{
    int (*start)(main_function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *)
        = (int (*)(main_function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *))dlsym(
            RTLD_NEXT, "__libc_start_main");
    program = main;
    return start(RUNNING_ON_VALGRIND ? run_all : main, argc, argv, init, fini, rtld_fini, stack_end);
}
