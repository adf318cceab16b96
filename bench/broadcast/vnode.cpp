#include <span>

#include "broadcast/contestants.hpp"
#include "data/element.hpp"

namespace vnode::bench {

Contestant broadcast_vnode(const SharedVectors& data, Rank root, Arithmetic datatype,
                           const std::string& algorithm) {
  Contestant contestant{.by = "vnode", .requested = algorithm.empty() ? "auto" : algorithm, .call = {}};
  with_type(datatype, [&]<class T>(std::type_identity<T>) {
    contestant.call = [data, root, algorithm](const Seat& seat) {
      const std::span vector{reinterpret_cast<T*>((*data)[seat.rank]), data->bytes() / sizeof(T)};
      seat.node->broadcast(vector, root, {.algorithm = algorithm});
    };
  });
  return contestant;
}

}  // namespace vnode::bench
