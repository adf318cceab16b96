// Options are written with some of their members named, without a warning. A warning here is an error.
#include <doctest/doctest.h>

#include <vnode/vnode.hpp>

#pragma GCC diagnostic error "-Wextra"
#pragma GCC diagnostic error "-Wmissing-field-initializers"

TEST_CASE("of options only those that matter are written") {
  for (const vnode::TeamOptions& options :
       {vnode::TeamOptions{.wait = vnode::Wait::yield}, vnode::TeamOptions{.mapping = "compact"},
        vnode::TeamOptions{.time_limit = std::chrono::seconds(60)}}) {
    vnode::Team team(2, vnode::shapes::full{}, options);
    team.run([](vnode::Node& me) {
      int x[1] = {me.rank()};
      me.broadcast(x, 1, {.algorithm = "broadcast_binomial"});
      me.all_reduce(x, std::plus<>{}, {.deterministic = true});
      CHECK(x[0] == 2);
    });
  }
}
