#include <vnode/vnode.hpp>
#include <cstdio>
#include <cstdlib>
#include <chrono>
#include <string>
#include <unistd.h>
// every form, group or not, p 3..8, lengths; who is wrong; expects Mismatch in that run and a right next run
using namespace std::chrono;
int main(int c, char** v) {
  int bad = 0, done = 0;
  const char* forms[] = {"blocking", "nonblocking", "persistent", "group", "group-nonblocking"};
  const char* ops[] = {"broadcast", "reduce", "scatter", "gather"};
  for (int p = 2; p <= 8; ++p) for (std::size_t len : {1, 6, 100, 5000, 100000}) for (int op = 0; op < 4; ++op) for (int form = 0; form < 5; ++form) for (int wrong : {0, 1, p - 1}) for (int others : {0, 3}) {
    if (c > 1 && std::string(v[1]) == "quick" && (p % 3 || len > 200)) continue;
    alarm(20);
    vnode::Team team{p};
    auto t0 = steady_clock::now();
    std::string what = "none";
    auto body = [&](vnode::Node& me, bool mistake) {
      vnode::Group g = me.split(0);
      vnode::Group& use = form >= 3 ? g : static_cast<vnode::Group&>(me);
      for (int r = 0; r <= others; ++r) {
      int root = (mistake && r == 0 && me.rank() == wrong) ? (p > 2 ? 2 % p : 0) : 1; if (mistake && me.rank() == wrong && r == 0 && root == 1) root = 0;
      std::vector<int> x(len * p, me.rank()), y(len * p, -1);
      auto m = std::span(x).first(len);
      auto o = std::span(y).first(len);
      auto call = [&](auto&& w) {
        if (op == 0) return w.broadcast(m, root);
        if (op == 1) return w.reduce(m, o, std::plus<>{}, root);
        if (op == 2) return w.scatter(x, o, root);
        return w.gather(m, y, root);
      };
      if (form == 0 || form == 3) call(use);
      else if (form == 1 || form == 4) { auto q = call(use.nonblocking()); q.wait(); }
      else { auto q = call(use.persistent()); q.start(); q.wait(); }
      if (!mistake) {
        if (op == 0) for (auto e : m) if (e != 1) { std::printf("wrong data\n"); ++bad; break; }
      }
      }
    };
    try { team.run([&](vnode::Node& me) { body(me, true); }); } catch (const vnode::Mismatch& e) { what = "M"; if (done == 0 || (c > 1 && std::string(v[1]) == "show")) std::printf("  %s\n", e.what()); } catch (const std::exception& e) { what = e.what(); }
    double t1 = duration<double>(steady_clock::now() - t0).count();
    std::string after = "right";
    try { for (int r = 0; r < 6; ++r) team.run([&](vnode::Node& me) { body(me, false); }); } catch (const std::exception& e) { after = e.what(); }
    double t2 = duration<double>(steady_clock::now() - t0).count() - t1;
    ++done;
    if (what != "M" || after != "right" || t1 > 1.5 || t2 > 1.5) { ++bad; std::printf("p=%d len=%zu %s %s wrong=%d others=%d: %s; after: %s (%.2f s, %.2f s)\n", p, len, ops[op], forms[form], wrong, others, what.c_str(), after.c_str(), t1, t2); std::fflush(stdout); }
  }
  std::printf("wrongroot: %d tried, %d bad\n", done, bad);
  return bad != 0;
}
