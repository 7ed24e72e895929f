#include <vector>
#include <string>
#include <map>
#include <memory>
#include <stdexcept>
#include <algorithm>
#include <iostream>
namespace shapes {
struct Base { int id = 1; virtual ~Base() = default; virtual int area() const = 0; virtual int name() { return 7; } };
struct Tagged { long tag = 5; virtual int tagged() { return (int)tag; } };
template <int N> struct Square : Base, Tagged { int side[N]; int area() const override { return side[0] * N; } int tagged() override { return 1; } };
class Holder { public: static int count; std::vector<std::unique_ptr<Base>> all; int sum() const { int s = 0; for (auto &b : all) s += b->area(); return s; } };
int Holder::count = 3;
namespace { struct Hidden { int h; }; Hidden hidden{9}; }
}
struct Left { int l; }; struct Right : virtual Left { int r; }; struct Both2 : virtual Left, Right { int b; };
static std::string greeting = "hello";
int risky(int x) { if (x > 3) throw std::runtime_error("too big"); if (x < 0) throw x; return x; }
int caught(int x) { std::string s("local"); try { return risky(x) + (int)s.size(); } catch (const std::exception &e) { std::cerr << e.what(); return -1; } catch (int i) { return i; } }
void spec() noexcept { risky(1); }
template <typename T> T largest(const std::vector<T> &v) { return *std::max_element(v.begin(), v.end(), [](const T &a, const T &b) { return a < b; }); }
int virt(Both2 *b) { return b->l + b->r; }
int call_tagged(shapes::Tagged *t) { return t->tagged(); }
int main(int argc, char **argv) {
  shapes::Holder h; h.all.push_back(std::make_unique<shapes::Square<3>>()); std::map<std::string, int> m; m["a"] = argc;
  shapes::Square<4> sq; auto member = &shapes::Base::name; shapes::Base *b = &sq; std::vector<int> v{1, 2, argc};
  auto add = [&](int k) { return k + argc + shapes::hidden.h; };
  return h.sum() + caught(argc) + (b->*member)() + largest(v) + add(2) + call_tagged(&sq) + (dynamic_cast<shapes::Tagged *>(b) != nullptr) + (int)greeting.size() + m["a"];
}
