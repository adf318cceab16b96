#include <vnode/vnode.hpp>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
int main(int c, char** v) {
  alarm(300);
  int p = c > 1 ? atoi(v[1]) : 2;
  for (int k : {0, 1, 2, 64, 127, 128, 129, 1000}) {
    vnode::Team t{p};
    for (int turn = 0; turn < 2; ++turn)
    t.run([&](vnode::Node& me) {
      { vnode::Group g = me.split(0); for (int i = 0; i < (1 << 20) + k; ++i) g.barrier(); }
      if (me.rank() == 1) usleep(20000);
      for (int i = 0; i < 300; ++i) {
        vnode::Group h = me.split(0);
        if (i < 3 && me.rank() == (i % p)) usleep(200000);
        std::vector<int> x{1};
        h.all_reduce(x, std::plus<>{});
        if (x[0] != p) std::abort();
        h.barrier();
      }
    });
  }
  std::printf("manycalls right\n");
}
