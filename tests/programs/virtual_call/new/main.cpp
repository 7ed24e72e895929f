#include <cstdio>
#include <cstdlib>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

struct Coder {
    virtual ~Coder() = default;
    virtual void run(long n) = 0;
};

struct Plain : Coder {
    void run(long n) override
    {
        for (long i = 0; i < n; ++i)
            sink = sink + i;
    }
};

struct Strong : Coder {
    void run(long n) override
    {
        for (long i = 0; i < 4 * n; ++i)
            sink = sink ^ i;
    }
};

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "sv")) != -1) {
        switch (c) {
        case 's':
            strong = 1;
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    Coder *coder = nullptr;
    if (strong)
        coder = new Strong;
    else
        coder = new Plain;
    long t = 3000;
    coder->run(t);
    delete coder;
    if (verbose)
        printf("done\n");
    std::printf("%lu\n", sink);
    return 0;
}
