#include <vnode/vnode.hpp>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <optional>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>
// each case in a child; prints exit status
static int in_child(const char* name, std::function<int()> f, int expect = 0) {
  std::fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) { alarm(10); int rc = 99; try { rc = f(); } catch (const std::exception& e) { std::printf("   [%s] exception: %s\n", name, e.what()); rc = 98; } std::fflush(stdout); std::exit(rc); }
  int st; waitpid(pid, &st, 0);
  bool ok = WIFEXITED(st) && WEXITSTATUS(st) == expect;
  std::printf("%-50s %s (%s %d)\n", name, ok ? "ok" : "BAD", WIFEXITED(st) ? "exit" : "signal", WIFEXITED(st) ? WEXITSTATUS(st) : WTERMSIG(st));
  return !ok;
}
template <class F> int usage(F f) { try { f(); } catch (const vnode::UsageError& e) { std::printf("   UsageError: %s\n", e.what()); return 0; } catch (const std::exception& e) { std::printf("   other: %s\n", e.what()); return 2; } std::printf("   nothing thrown\n"); return 1; }
static void sum(vnode::Team& t) { t.run([](vnode::Node& me) { std::vector<int> a{1}; me.all_reduce(a, std::plus<>{}); if (a[0] != me.size()) std::abort(); }); }
int main() {
  int bad = 0;
  for (int p : {1, 2, 3, 5}) {
    std::printf("p = %d\n", p);
    bad += in_child("run in run", [=] { vnode::Team t{p}; int r = usage([&] { t.run([&](vnode::Node& me) { t.run([](vnode::Node&) {}); me.barrier(); }); }); sum(t); return r; });
    bad += in_child("run in run on last node, caught", [=] { vnode::Team t{p}; int r = 0; t.run([&](vnode::Node& me) { if (me.rank() == p - 1) r = usage([&] { t.run([](vnode::Node&) {}); }); me.barrier(); }); sum(t); return r; });
    bad += in_child("other team's run in run", [=] { vnode::Team t{p}; vnode::Team u{2}; t.run([&](vnode::Node& me) { if (me.rank() == 0) sum(u); me.barrier(); }); return 0; });
    bad += in_child("two threads' runs", [=] { vnode::Team t{p}; std::atomic<int> usageerrors{0}, oks{0}; auto go = [&] { for (int i = 0; i < 300; ++i) try { t.run([](vnode::Node& me) { for (int k = 0; k < 20; ++k) me.barrier(); }); ++oks; } catch (const vnode::UsageError&) { ++usageerrors; } }; std::thread a(go), b(go); a.join(); b.join(); std::printf("   %d ok, %d refused\n", oks.load(), usageerrors.load()); sum(t); return oks + usageerrors == 600 ? 0 : 1; });
    bad += in_child("nonblocking between runs", [=] { vnode::Team t{p}; std::vector<vnode::Group> g(p); t.run([&](vnode::Node& me) { g[me.rank()] = me; }); std::vector<int> x{1}; int r = usage([&] { auto q = g[0].nonblocking().broadcast(x); q.wait(); }); r += usage([&] { g[0].barrier(); }); if (p > 1) r += usage([&] { g[0].send(x, 1); }); r += usage([&] { (void)g[0].split(0); }); sum(t); return r; });
    bad += in_child("persistent between runs", [=] { vnode::Team t{p}; std::vector<vnode::Persistent> q(p); std::vector<std::vector<int>> x(p, std::vector<int>(3)); t.run([&](vnode::Node& me) { q[me.rank()] = me.persistent().broadcast(x[me.rank()]); q[me.rank()].start(); q[me.rank()].wait(); }); int r = usage([&] { q[0].start(); }); sum(t); t.run([&](vnode::Node& me) { if (me.rank() == 0) x[0] = {1, 2, 3}; q[me.rank()].start(); q[me.rank()].wait(); if (x[me.rank()][2] != 3) std::abort(); }); return r; });
    bad += in_child("persistent after the team", [=] { std::optional<vnode::Team> t; t.emplace(p); std::vector<vnode::Persistent> q(p); std::vector<std::vector<int>> x(p, std::vector<int>(3)); t->run([&](vnode::Node& me) { q[me.rank()] = me.persistent().broadcast(x[me.rank()]); }); t.reset(); return usage([&] { q[0].start(); }); });
    bad += in_child("group after the team", [=] { std::optional<vnode::Team> t; t.emplace(p); std::vector<vnode::Group> g(p); t->run([&](vnode::Node& me) { g[me.rank()] = me.split(0); }); t.reset(); std::vector<int> x{1}; int r = usage([&] { g[0].broadcast(x); }); r += usage([&] { g[0].barrier(); }); r += usage([&] { (void)g[0].split(0); }); r += usage([&] { auto q = g[0].isend(x, 0); }); return r; });
    bad += in_child("groups kept across runs", [=] { vnode::Team t{p}; std::vector<vnode::Group> g(p); t.run([&](vnode::Node& me) { g[me.rank()] = me.split(me.rank() % 2, -me.rank()); }); for (int i = 0; i < 5; ++i) t.run([&](vnode::Node& me) { std::vector<int> a{1}; auto& h = g[me.rank()]; h.all_reduce(a, std::plus<>{}); if (a[0] != h.size()) std::abort(); me.barrier(); });
      try { t.run([&](vnode::Node& me) { if (me.rank() == 0) throw std::runtime_error("x"); g[me.rank()].barrier(); me.barrier(); }); } catch (const std::runtime_error&) {}
      t.run([&](vnode::Node& me) { std::vector<int> a{1}; auto& h = g[me.rank()]; h.all_reduce(a, std::plus<>{}); if (a[0] != h.size()) std::abort(); }); return 0; });
    for (int who : {0, p - 1}) {
      bad += in_child("exit in a node, static team", [=] { static vnode::Team t{p}; t.run([&](vnode::Node& me) { if (me.rank() == who) std::exit(7); me.barrier(); }); return 1; }, 7);
      bad += in_child("exit in a node, static team, others busy", [=] { static vnode::Team t{p}; t.run([&](vnode::Node& me) { if (me.rank() == who) std::exit(7); usleep(300000); }); return 1; }, who == who ? 7 : 1);
      bad += in_child("exit in a node, local team", [=] { vnode::Team t{p}; t.run([&](vnode::Node& me) { if (me.rank() == who) std::exit(7); me.barrier(); }); return 1; }, 7);
    }
    bad += in_child("exit with static team between runs", [=] { static vnode::Team t{p}; sum(t); std::exit(5); return 1; }, 5);
    bad += in_child("fork, child uses", [=] { vnode::Team t{p}; sum(t); pid_t q = fork(); if (q == 0) { alarm(5); int r = usage([&] { sum(t); }); { vnode::Team u{p}; sum(u); } std::fflush(stdout); std::exit(r); } int st; waitpid(q, &st, 0); sum(t); return WIFEXITED(st) ? WEXITSTATUS(st) : 50; });
    bad += in_child("fork, child destroys", [=] { auto t = std::make_unique<vnode::Team>(p); sum(*t); pid_t q = fork(); if (q == 0) { alarm(5); t.reset(); vnode::Team u{p}; sum(u); std::exit(0); } int st; waitpid(q, &st, 0); sum(*t); return WIFEXITED(st) ? WEXITSTATUS(st) : 50; });
    bad += in_child("fork in a node, child _exit", [=] { vnode::Team t{p}; int rc = 0; t.run([&](vnode::Node& me) { if (me.rank() == 0) { pid_t q = fork(); if (q == 0) _exit(3); int st; waitpid(q, &st, 0); rc = WEXITSTATUS(st); } me.barrier(); }); return rc == 3 ? 0 : 1; });
    bad += in_child("fork in a node, child exit", [=] { vnode::Team t{p}; int rc = 0; t.run([&](vnode::Node& me) { if (me.rank() == p - 1) { pid_t q = fork(); if (q == 0) { alarm(4); std::exit(3); } int st; waitpid(q, &st, 0); rc = WIFEXITED(st) ? WEXITSTATUS(st) : 60; } me.barrier(); }); return rc == 3 ? 0 : 1; });
    bad += in_child("fork in a node, child calls", [=] { vnode::Team t{p}; int rc = 0; t.run([&](vnode::Node& me) { if (me.rank() == 0) { pid_t q = fork(); if (q == 0) { alarm(4); int r = usage([&] { me.barrier(); }); std::fflush(stdout); _exit(r); } int st; waitpid(q, &st, 0); rc = WIFEXITED(st) ? WEXITSTATUS(st) : 60; } me.barrier(); }); return rc; });
    if (p > 1) {
      bad += in_child("unwinding past a request (buffer first)", [=] { vnode::Team t{p}; for (int i = 0; i < 200; ++i) try { t.run([&](vnode::Node& me) { std::vector<int> x(100000, 1); auto q = me.nonblocking().all_reduce(x, std::plus<>{}); if (me.rank() == i % p) throw std::runtime_error("boom"); q.wait(); me.barrier(); }); return 1; } catch (const std::runtime_error&) {} sum(t); return 0; });
      bad += in_child("unwinding past a request (request first)", [=] { vnode::Team t{p}; for (int i = 0; i < 200; ++i) try { t.run([&](vnode::Node& me) { vnode::Request q; std::vector<int> x(100000, 1); q = me.nonblocking().all_reduce(x, std::plus<>{}); if (me.rank() == i % p) throw std::runtime_error("boom"); q.wait(); me.barrier(); }); return 1; } catch (const std::exception& e) { if (i == 0) std::printf("   %s\n", e.what()); } sum(t); return 0; });
      bad += in_child("test loop sees left", [=] { vnode::Team t{p}; try { t.run([&](vnode::Node& me) { if (me.rank() == 1) return; std::vector<int> x(3); auto q = me.nonblocking().all_reduce(x, std::plus<>{}); while (!q.test()) {} }); } catch (const vnode::Mismatch& e) { std::printf("   %s\n", e.what()); sum(t); return 0; } return 1; });
      bad += in_child("test loop sees the time limit", [=] { vnode::TeamOptions o; o.time_limit = std::chrono::milliseconds(200); vnode::Team t{p, vnode::full{}, o}; try { t.run([&](vnode::Node& me) { std::vector<int> x(3); if (me.rank() == 1) { usleep(1000000); } auto q = me.nonblocking().all_reduce(x, std::plus<>{}); while (!q.test()) {} }); } catch (const vnode::TimeLimitExceeded& e) { std::printf("   %s\n", e.what()); sum(t); return 0; } return 1; });
    }
    bad += in_child("moved team", [=] { vnode::Team a{p}; sum(a); vnode::Team b = std::move(a); sum(b); int r = usage([&] { sum(a); }); a = std::move(b); sum(a); return r; });
  }
  std::printf("lives: %d bad\n", bad);
  return bad != 0;
}
