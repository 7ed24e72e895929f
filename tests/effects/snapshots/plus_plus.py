"""A small program in C++: exceptions, virtual functions, initialisers."""

PROGRAM = r"""
#include <cstdio>
#include <stdexcept>
#include <string>
#define APART __attribute__((noipa))
volatile int sink;
struct Small { int x; };
struct Large { int x; };
struct Shape { virtual ~Shape() {} virtual int area() { return 1; } virtual int edges() { return 2; } };
struct Square : Shape { int area() override { return 4; } int edges() override { return 5; } };
struct First { First() { sink = 1; } ~First() { sink = 3; } };
struct Second { Second() { sink = sink * 2; } };
First first;
Second second;
APART int fail(int x) { if (x > 3) throw Small{x}; if (x > 2) throw Large{x}; return x; }
APART int caught(int x) { try { return fail(x); } catch (Small &error) { return error.x; } }
APART int caught_any(int x) { try { return fail(x); } catch (...) { return 9; } }
APART int cleaned(int x) { First local; std::string text(x, 'a'); return fail(x) + text.size(); }
APART int area(Shape *shape) { return shape->area(); }
template <class T> APART T doubled(T x) { return x + x; }
int main(int argc, char **argv) {
  Square square;
  return caught(argc) + caught_any(argc) + cleaned(argc) + area(&square) + doubled(argc) + (int)doubled(1.5);
}
"""
