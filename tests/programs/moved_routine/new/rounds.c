long rounds_for(int strong_now)
{
    return strong_now ? 3000 : 1000;
}
