/* Runs a benchmark and writes down what it took.
 *
 *     gauge keep PROGRAM WORD...             become the reaper of all descendants, then PROGRAM
 *     gauge run fixed|random PROGRAM WORD... run PROGRAM at fixed or random addresses
 *
 * `run` writes one line to descriptor 3: wall ns, user us, system us, peak resident KiB, involuntary switches,
 * wait status, us in which some process waited for a processor, voluntary switches, minor and major page
 * faults.
 *
 * Nobody of the same user can trace it, take its descriptors or write to them: they are those of the report.
 *
 * It is not written in Python, because a process inherits the resident size of whoever forked it as the least
 * that its own peak can be.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REPORT = 3, CANNOT_RUN = 127 };

static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long microseconds(struct timeval time)
{
    return time.tv_sec * 1000000LL + time.tv_usec;
}

/* "some avg10=6.37 avg60=3.18 avg300=1.19 total=13139087"; 0 where the kernel does not count it. */
static long long pressure_us(void)
{
    char text[256] = "";
    int file = open("/proc/pressure/cpu", O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    char *total = size > 0 ? strstr(text, "total=") : NULL;
    return total ? atoll(total + strlen("total=")) : 0;
}

static void become(char **argv)
{
    execvp(argv[0], argv);
    dprintf(STDERR_FILENO, "sonde: cannot run '%s': %s\n", argv[0], strerror(errno));
    _exit(CANNOT_RUN);
}

/* When memory runs out, the benchmark shall go, and not whoever watches over it. */
static void go_first(void)
{
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        if (write(file, "900", 3) < 0) { /* then the kernel decides */ }
        close(file);
    }
}

static int measure(int is_fixed, char **argv)
{
    struct rusage usage;
    long long user = 0, system = 0, memory = 0, switches = 0, waits = 0, minor = 0, major = 0;
    int status;
    pid_t ended;

    fcntl(REPORT, F_SETFD, FD_CLOEXEC); /* the benchmark cannot write there */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* until `execve`: the benchmark itself can be traced */
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    long long waited = pressure_us();
    long long began = now_ns();
    pid_t benchmark = fork();
    if (benchmark == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        go_first();
        if (is_fixed)
            personality(ADDR_NO_RANDOMIZE);
        become(argv);
    }
    if (benchmark < 0) {
        perror("sonde: cannot fork");
        return CANNOT_RUN;
    }
    do { /* orphans that end before the benchmark does belong to it, too */
        ended = wait4(-1, &status, 0, &usage);
        if (ended < 0 && errno != EINTR)
            return CANNOT_RUN;
        if (ended > 0) {
            user += microseconds(usage.ru_utime);
            system += microseconds(usage.ru_stime);
            switches += usage.ru_nivcsw;
            waits += usage.ru_nvcsw;
            minor += usage.ru_minflt;
            major += usage.ru_majflt;
            if (usage.ru_maxrss > memory)
                memory = usage.ru_maxrss;
        }
    } while (ended != benchmark);
    long long wall = now_ns() - began;
    dprintf(REPORT, "%lld %lld %lld %lld %lld %d %lld %lld %lld %lld\n", wall, user, system, memory, switches,
            status, pressure_us() - waited, waits, minor, major);
    return 0;
}

int main(int count, char **argv)
{
    if (count > 2 && strcmp(argv[1], "keep") == 0) {
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
        become(argv + 2);
    }
    if (count > 3 && strcmp(argv[1], "run") == 0)
        return measure(strcmp(argv[2], "fixed") == 0, argv + 3);
    fprintf(stderr, "gauge keep PROGRAM WORD... | gauge run fixed|random PROGRAM WORD...\n");
    return 2;
}
