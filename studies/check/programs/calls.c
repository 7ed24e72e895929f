/* Work of the system: many small calls, and now and then a process that ends at once. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define CALLS 400
#ifndef STEPS
#define STEPS 0
#endif
#ifndef NOTE
#define NOTE ""
#endif
const char note[] = NOTE; /* makes another file of the same code */
int main(int count, char **words)
{
    long steps = count > 1 ? atol(words[1]) : STEPS;
    int sink = open("/dev/null", O_WRONLY);
    char text[64] = "nothing";
    for (long step = 1; step <= steps; step++) {
        if (write(sink, text, sizeof text) < 0)
            return 2;
        if (step % CALLS == 0) {
            pid_t child = fork();
            if (child == 0)
                _exit(0);
            if (child < 0 || waitpid(child, NULL, 0) < 0)
                return 3;
        }
    }
    return 0;
}
