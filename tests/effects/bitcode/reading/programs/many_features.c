#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <complex.h>
#include <stdatomic.h>
#include <string.h>
struct bits { unsigned a:3; unsigned b:13; long c; unsigned d:1; };
union both { int i; float f; char bytes[8]; struct { short lo, hi; } halves; };
struct inner { int x, y; };
struct outer { char tag; struct inner in[4]; union both u; struct { int q; struct inner deep; }; struct inner *next; };
struct __attribute__((packed)) tight { char c; int i; short s[3]; };
typedef struct { int level; int verbose; } config_t;
static struct { int jobs; const char *name; } settings = { 4, "set" };
static config_t config = { 6, 0 };
struct outer global = { 'x', { {1,2}, {3,4} }, { .i = 7 } };
struct tight tights[3] = { { 1, 2, {3,4,5} }, { 6 } };
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
struct op { const char *name; int (*run)(int, int); } ops[] = { {"add", add}, {"sub", sub}, {0, 0} };
int *inside = &global.in[2].y;
static _Thread_local int mine;
static jmp_buf jump;
int interpret(const unsigned char *code) {
  static void *labels[] = { &&op_inc, &&op_dec, &&op_end };
  int acc = 0;
  goto *labels[*code++];
op_inc: acc++; goto *labels[*code++];
op_dec: acc--; goto *labels[*code++];
op_end: return acc;
}
int total(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); s += (int)va_arg(l, double); struct outer o = va_arg(l, struct outer); va_end(l); return s + o.tag; }
int huge(int x) { switch (x) {
#define C(n) case n: return n * 3 + 1;
#define C10(n) C(n) C(n+1) C(n+2) C(n+3) C(n+4) C(n+5) C(n+6) C(n+7) C(n+8) C(n+9)
#define C100(n) C10(n) C10(n+10) C10(n+20) C10(n+30) C10(n+40) C10(n+50) C10(n+60) C10(n+70) C10(n+80) C10(n+90)
C100(0) C100(100) C100(200) case -5 ... -2: return 1; default: return -1; } }
double complex turn(double complex z) { return z * z + 1.0 * I; }
atomic_int counter; _Atomic long wide;
int bump(void) { int e = 3; atomic_compare_exchange_strong(&counter, &e, 4); atomic_thread_fence(memory_order_seq_cst); atomic_store_explicit(&wide, 5, memory_order_release); return atomic_fetch_add(&counter, 2) + (int)atomic_exchange(&wide, 3) + atomic_load(&counter); }
int vla(int n) { int a[n][n]; a[0][n-1] = n; memset(a, 0, sizeof a); return a[1][1]; }
int guarded(int x) { if (setjmp(jump)) return -1; if (x > 3) longjmp(jump, 1); return x; }
int counted(void) { static int count; static int other = 5; return ++count + other--; }
unsigned rotate(unsigned v) { unsigned r; __asm__ volatile ("rorl $3, %0\n\tnop" : "=r"(r) : "0"(v) : "cc"); return r; }
int jumpy(int x) { asm goto ("testl %0, %0; jne %l1" : : "r"(x) : "cc" : out); return 0; out: return 1; }
struct inner make(int x) { struct inner i = { x, x + 1 }; return i; }
int use_bits(struct bits *b) { b->a = 3; b->d ^= 1; return b->b + (int)b->c; }
int use_union(union both *u) { u->halves.hi = 3; u->bytes[2] = 1; return u->f > 0; }
int access(struct outer *o, int i) { o->in[i].y = o->deep.x + o->q; o->next->x = 1; settings.jobs = config.level; return global.in[2].y + tights[1].s[2] + mine + ops[1].run(1, 2) + (o++)->tag; }
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
typedef int vec __attribute__((vector_size(16)));
vec shuffled(vec a, vec b) { vec c = a + b; c[2] = 5; return __builtin_shufflevector(c, a, 0, 5, 2, 7); }
__int128 wide_mul(__int128 a, long double b) { return a * (__int128)b; }
extern int elsewhere; extern int weakling __attribute__((weak));
static int real_f(int x) { return x; } int alias_f(int) __attribute__((alias("real_f")));
static void *pick(void) { return elsewhere ? (void *)add : (void *)sub; } int chosen(int, int) __attribute__((ifunc("pick")));
__attribute__((constructor(200))) static void late(void) { mine = 2; } __attribute__((constructor(101))) static void early(void) { mine = 1; }
__attribute__((noreturn)) void die(const char *m) { fputs(m, stderr); exit(1); }
char *text(void) { static char b[] = "buffer"; return b + 2; }
int main(int argc, char **argv) {
  int a[3] = { 3, 1, 2 }; const char *l[] = { "x", "yy" }; qsort(a, 3, sizeof *a, cmp);
  if (argc > 9) die("too many"); char *p = argv[0]; p = p + 1; if (p[3] == 'q' && &weakling) return weakling;
  long d = (char *)&global.next - (char *)&global; config_t *c = &(config_t){ 1, 2 };
  return total(2, 1, 2, 3.0, global) + huge(argc) + vla(argc) + guarded(argc) + interpret((unsigned char *)l[1]) + (int)d + c->level + chosen(1, 2) + alias_f(2);
}
