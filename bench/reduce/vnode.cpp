#include <span>

#include "data/element.hpp"
#include "reduce/contestants.hpp"

namespace vnode::bench {

Contestant reduce_vnode(const SharedVectors& data, Rank root, Arithmetic datatype, StandardOperator op,
                        const std::string& algorithm) {
  Contestant contestant{.by = "vnode", .requested = algorithm.empty() ? "auto" : algorithm, .call = {}};
  with_type(datatype, [&]<class T>(std::type_identity<T>) {
    with_operator(op, [&](auto combine) {
      contestant.call = [data, root, algorithm, combine](const Seat& seat) {
        const std::span vector{reinterpret_cast<T*>((*data)[seat.rank]), data->bytes() / sizeof(T)};
        seat.node->reduce(vector, combine, root, {.algorithm = algorithm});
      };
    });
  });
  return contestant;
}

}  // namespace vnode::bench
