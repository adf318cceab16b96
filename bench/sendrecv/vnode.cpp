#include <span>

#include "data/element.hpp"
#include "sendrecv/contestants.hpp"

namespace vnode::bench {

Contestant sendrecv_vnode(const Swap& swap, Arithmetic datatype) {
  Contestant contestant{.by = "vnode", .call = {}};
  with_type(datatype, [&]<class T>(std::type_identity<T>) {
    contestant.call = [swap](const Seat& seat) {
      if (!swap.plays(seat.rank)) return;
      const std::size_t count = swap.out->bytes() / sizeof(T);
      const Rank partner = swap.partner(seat.rank);
      seat.node->sendrecv(std::span{reinterpret_cast<const T*>((*swap.out)[seat.rank]), count}, partner,
                          std::span{reinterpret_cast<T*>((*swap.in)[seat.rank]), count}, partner);
    };
  });
  return contestant;
}

}  // namespace vnode::bench
