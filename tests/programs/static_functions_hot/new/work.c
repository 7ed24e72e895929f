static long rounds(int strong)
{
    return strong ? 9000 : 1000;
}

static volatile unsigned long sink;

unsigned long hot(int strong)
{
    long n = rounds(strong);
    for (long i = 0; i < n; ++i)
        sink += i;
    return sink;
}
