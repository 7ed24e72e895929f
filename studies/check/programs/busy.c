/* Load beside a measurement: without an argument all the time, with one now and then.
   It ends with the process that started it, however that ends. */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int main(int count, char **words)
{
    pid_t parent = getppid();
    uint64_t state = 88172645463325252u + (uint64_t)getpid();
    int is_unsteady = count > 1;
    (void)words;
    while (getppid() == parent) {
        for (long step = 0; step < 20000000; step++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
        }
        if (is_unsteady && state % 2) {
            struct timespec rest = {0, (long)(state % 500000000)};
            nanosleep(&rest, NULL);
        }
    }
    return state == 0;
}
