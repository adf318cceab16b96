#include "topology/factorisation.hpp"

namespace vnode {

std::array<int, 2> squarest_factorisation(int nodes) {
  int rows = 1;
  for (int divisor = 2; divisor * divisor <= nodes; ++divisor)
    if (nodes % divisor == 0) rows = divisor;
  return {rows, nodes / rows};
}

}  // namespace vnode
