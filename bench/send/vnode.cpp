#include <span>

#include "data/element.hpp"
#include "send/contestants.hpp"

namespace vnode::bench {

Contestant send_vnode(const PingPong& game, Arithmetic datatype) {
  return with_type(datatype, [&]<class T>(std::type_identity<T>) {
    return ping_pong("vnode", game, [game](const Seat& seat, bool sending) {
      const std::size_t count = game.out->bytes() / sizeof(T);
      if (sending)
        seat.node->send(std::span{reinterpret_cast<const T*>((*game.out)[seat.rank]), count},
                        game.partner(seat.rank));
      else
        seat.node->recv(std::span{reinterpret_cast<T*>((*game.in)[seat.rank]), count},
                        game.partner(seat.rank));
    });
  });
}

}  // namespace vnode::bench
