#define ROUNDS 1000
