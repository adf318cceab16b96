#include "draw/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace vnode {

void move_apart(std::vector<Contact>& contacts, double gap) {
  constexpr double turn = 2 * std::numbers::pi;
  constexpr int most_passes = 60;
  const std::size_t n = contacts.size();
  if (n < 2) return;
  gap = std::min(gap, 0.98 * turn / static_cast<double>(n));
  for (Contact& contact : contacts) contact.angle -= turn * std::floor(contact.angle / turn);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t contact) { return contacts[contact].angle; });
  bool close = true;
  for (int pass = 0; close && pass < most_passes; ++pass) {
    close = false;
    for (std::size_t i = 0; i < n; ++i) {
      Contact &one = contacts[order[i]], &next = contacts[order[(i + 1) % n]];
      const double lack = gap - (next.angle - one.angle + (i + 1 == n ? turn : 0));
      if (lack < 1e-3 || (one.fixed && next.fixed)) continue;
      close = true;
      const double share = one.fixed ? 0 : next.fixed ? 1 : 0.5;
      one.angle -= share * lack;
      next.angle += (1 - share) * lack;
    }
  }
}

}  // namespace vnode
