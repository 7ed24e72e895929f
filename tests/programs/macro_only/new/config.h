#define ROUNDS 4000
