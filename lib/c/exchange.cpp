#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <vnode/c/exchange.h>
#include <vnode/exchanges.hpp>

#include "base/counted.hpp"
#include "c/described.hpp"
#include "c/element.hpp"
#include "c/group.hpp"
#include "c/layout.hpp"
#include "c/messages.hpp"
#include "c/request.hpp"
#include "c/topology.hpp"
#include "c/untyped.hpp"

/// Neighbours and their handle.
struct vnode_neighbours : vnode::Handle<vnode::HandleKind::neighbours> {
  explicit vnode_neighbours(vnode::Neighbours neighbours) : is(std::move(neighbours)) {}

  vnode::Neighbours is;
};

namespace vnode {
namespace {

const Neighbours& neighbours_of(const vnode_neighbours* neighbours) {
  return at_handle(const_cast<vnode_neighbours*>(neighbours)).is;
}

/// Writes as many ranks as there is room for; returns how many there are.
int listed(std::span<const Rank> ranks, int* list, int room) {
  const auto count = static_cast<int>(ranks.size());
  if (room > 0) std::copy_n(ranks.begin(), std::min(room, count), &needed(list, "the list of ranks"));
  return count;
}

std::span<const Rank> ranks_in(const int* list, int count, const char* what) {
  if (count < 0) throw WrongArgument(fmt::format("there are {} {}", count, what));
  if (count > 0) needed(list, what);
  return {list, static_cast<std::size_t>(count)};
}

/// Throws for data that are missing, or more than memory holds.
Buffer piece_from(const vnode_piece& given, const ElementType& type, const char* which) {
  if (given.data == nullptr && given.count > 0)
    throw WrongArgument(fmt::format("{} is NULL and has {}", which, counted(given.count, "element")));
  if (given.count > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / type.bytes)
    throw WrongArgument(fmt::format("{} has {} elements, more than memory holds", which, given.count));
  Buffer piece{.data = given.data, .count = given.count};
  if (given.layout != nullptr) {
    piece.layout = &layout_of(given.layout);
    check_picked(*piece.layout, 0, given.count, type.bytes, which);
  }
  return piece;
}

/// An exchange as C describes it, made into the arguments that exchanges have.
class DescribedExchange {
 public:
  DescribedExchange(vnode_group* group, vnode_type type) : group_(group_of(group)) {
    arguments_.type = &element_of(type);
    arguments_.collective = Collective::all_to_all;
    arguments_.exchange = true;
  }
  DescribedExchange(const DescribedExchange&) = delete;

  void call() const { Untyped::call(group_, arguments_); }
  void start(vnode_request** request) const {
    needed(request, "the address of the handle") = nullptr;
    put_handle(request, Untyped::start(group_, arguments_));
  }
  void plan(vnode_persistent** persistent) const {
    needed(persistent, "the address of the handle") = nullptr;
    put_handle(persistent, Untyped::plan(group_, arguments_));
  }

  void exchange(const void* in, void* out, std::size_t count, const vnode_neighbours* neighbours) {
    const auto& [targets, sources] = ends(neighbours);
    constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max();
    const std::size_t parts = std::max({targets, sources, std::size_t{1}});
    if (count > most / parts)
      throw WrongArgument(
          fmt::format("{} elements of {} neighbours are more than memory holds", count, parts));
    describe(in, targets * count, out, sources * count);
  }
  void exchange_v(const void* in, const std::size_t* in_counts, const std::size_t* in_displacements,
                  void* out, const std::size_t* out_counts, const std::size_t* out_displacements,
                  const vnode_neighbours* neighbours) {
    const auto& [targets, sources] = ends(neighbours);
    const std::size_t sent = divide(in_parts_, targets, in_counts, in_displacements, "in"),
                      received = divide(out_parts_, sources, out_counts, out_displacements, "out");
    describe(in, sent, out, received);
    arguments_.parts = Arguments::Parts::given;
    arguments_.in.parts = &in_parts_;
    arguments_.out.parts = &out_parts_;
  }
  void exchange_pieces(const vnode_piece* in, const vnode_piece* out, const vnode_neighbours* neighbours) {
    const auto& [targets, sources] = ends(neighbours);
    take_pieces(in, targets, out, sources);
  }
  void all_to_all_w(const vnode_piece* in, const vnode_piece* out) {
    const auto nodes = static_cast<std::size_t>(group_.size());
    take_pieces(in, nodes, out, nodes);
    arguments_.exchange = false;
  }

 private:
  struct Ends {
    std::size_t targets, sources;
  };
  /// Takes the neighbours, or those in the topology; returns how many parts there are.
  Ends ends(const vnode_neighbours* neighbours) {
    if (neighbours != nullptr) {
      arguments_.neighbours = &neighbours_of(neighbours);
      return {arguments_.neighbours->targets().size(), arguments_.neighbours->sources().size()};
    }
    const Neighbours in_topology(group_.topology(), group_.rank());
    return {in_topology.targets().size(), in_topology.sources().size()};
  }
  void describe(const void* in, std::size_t in_count, void* out, std::size_t out_count) {
    arguments_.in = piece_from({const_cast<void*>(in), in_count, nullptr}, *arguments_.type, "in");
    arguments_.out = piece_from({out, out_count, nullptr}, *arguments_.type, "out");
  }
  void take_pieces(const vnode_piece* in, std::size_t targets, const vnode_piece* out, std::size_t sources) {
    const auto take = [&](std::vector<Buffer>& list, const vnode_piece* given, std::size_t count,
                          const char* which) {
      for (std::size_t i = 0; i < count; ++i)
        list.push_back(piece_from((&needed(given, "a list of pieces"))[i], *arguments_.type, which));
    };
    take(in_pieces_, in, targets, "a piece of in");
    take(out_pieces_, out, sources, "a piece of out");
    arguments_.parts = Arguments::Parts::pieces;
    arguments_.in = {.count = targets, .pieces = in_pieces_.data()};
    arguments_.out = {.count = sources, .pieces = out_pieces_.data()};
  }

  Group& group_;
  Arguments arguments_;
  Partition in_parts_, out_parts_;
  std::vector<Buffer> in_pieces_, out_pieces_;
};

/// The elements of a message, which has all that the layout picks.
Buffer elements_in(const vnode_piece* piece, const ElementType& type, const char* which) {
  const Buffer elements = piece_from(needed(piece, "the piece"), type, which);
  if (elements.layout != nullptr && elements.count != elements.layout->count())
    throw WrongArgument(
        fmt::format("the layout of {} picks {} elements, and {} are wanted: a message has all of them", which,
                    elements.layout->count(), elements.count));
  return elements;
}

MessageArguments sending_piece(const vnode_piece* piece, vnode_type type, int to, int tag) {
  const ElementType& element = element_of(type);
  return sending(MessageArguments::Operation::send, elements_in(piece, element, "the piece"), element, to,
                 tag);
}

MessageArguments receiving_piece(const vnode_piece* piece, vnode_type type, int from, int tag) {
  const ElementType& element = element_of(type);
  return receiving(elements_in(piece, element, "the piece"), element, from, tag);
}

}  // namespace
}  // namespace vnode

using namespace vnode;

int vnode_neighbours_create(vnode_neighbours** neighbours, const vnode_topology* topology, int rank) {
  return entry(
      [&] { put_handle(neighbours, Neighbours(at_handle(const_cast<vnode_topology*>(topology)).is, rank)); });
}

int vnode_neighbours_create_lists(vnode_neighbours** neighbours, const int* sources, int sources_count,
                                  const int* targets, int targets_count) {
  return entry([&] {
    put_handle(neighbours, Neighbours(ranks_in(sources, sources_count, "sources"),
                                      ranks_in(targets, targets_count, "targets")));
  });
}

int vnode_neighbours_sources(const vnode_neighbours* neighbours, int* sources, int room) {
  return entry([&] { return listed(neighbours_of(neighbours).sources(), sources, room); });
}

int vnode_neighbours_targets(const vnode_neighbours* neighbours, int* targets, int room) {
  return entry([&] { return listed(neighbours_of(neighbours).targets(), targets, room); });
}

int vnode_neighbours_free(vnode_neighbours** neighbours) {
  return entry([&] { end_handle(neighbours); });
}

int vnode_exchange(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                   const vnode_neighbours* neighbours) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange(in, out, count, neighbours);
    call.call();
  });
}

int vnode_exchange_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                               const vnode_neighbours* neighbours, vnode_request** request) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange(in, out, count, neighbours);
    call.start(request);
  });
}

int vnode_exchange_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                              const vnode_neighbours* neighbours, vnode_persistent** persistent) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange(in, out, count, neighbours);
    call.plan(persistent);
  });
}

int vnode_exchange_v(vnode_group* group, const void* in, const size_t* in_counts,
                     const size_t* in_displacements, void* out, const size_t* out_counts,
                     const size_t* out_displacements, vnode_type type, const vnode_neighbours* neighbours) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange_v(in, in_counts, in_displacements, out, out_counts, out_displacements, neighbours);
    call.call();
  });
}

int vnode_exchange_v_nonblocking(vnode_group* group, const void* in, const size_t* in_counts,
                                 const size_t* in_displacements, void* out, const size_t* out_counts,
                                 const size_t* out_displacements, vnode_type type,
                                 const vnode_neighbours* neighbours, vnode_request** request) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange_v(in, in_counts, in_displacements, out, out_counts, out_displacements, neighbours);
    call.start(request);
  });
}

int vnode_exchange_v_persistent(vnode_group* group, const void* in, const size_t* in_counts,
                                const size_t* in_displacements, void* out, const size_t* out_counts,
                                const size_t* out_displacements, vnode_type type,
                                const vnode_neighbours* neighbours, vnode_persistent** persistent) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange_v(in, in_counts, in_displacements, out, out_counts, out_displacements, neighbours);
    call.plan(persistent);
  });
}

int vnode_exchange_pieces(vnode_group* group, const vnode_piece* in, const vnode_piece* out, vnode_type type,
                          const vnode_neighbours* neighbours) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange_pieces(in, out, neighbours);
    call.call();
  });
}

int vnode_exchange_pieces_nonblocking(vnode_group* group, const vnode_piece* in, const vnode_piece* out,
                                      vnode_type type, const vnode_neighbours* neighbours,
                                      vnode_request** request) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange_pieces(in, out, neighbours);
    call.start(request);
  });
}

int vnode_exchange_pieces_persistent(vnode_group* group, const vnode_piece* in, const vnode_piece* out,
                                     vnode_type type, const vnode_neighbours* neighbours,
                                     vnode_persistent** persistent) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange_pieces(in, out, neighbours);
    call.plan(persistent);
  });
}

int vnode_all_to_all_w(vnode_group* group, const vnode_piece* in, const vnode_piece* out, vnode_type type) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.all_to_all_w(in, out);
    call.call();
  });
}

int vnode_all_to_all_w_nonblocking(vnode_group* group, const vnode_piece* in, const vnode_piece* out,
                                   vnode_type type, vnode_request** request) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.all_to_all_w(in, out);
    call.start(request);
  });
}

int vnode_all_to_all_w_persistent(vnode_group* group, const vnode_piece* in, const vnode_piece* out,
                                  vnode_type type, vnode_persistent** persistent) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.all_to_all_w(in, out);
    call.plan(persistent);
  });
}

int vnode_send_piece(vnode_group* group, const vnode_piece* piece, vnode_type type, int to, int tag) {
  return entry([&] { Untyped::call(group_of(group), sending_piece(piece, type, to, tag)); });
}

int vnode_recv_piece(vnode_group* group, const vnode_piece* piece, vnode_type type, int from, int tag,
                     vnode_received* received) {
  return entry([&] {
    Group& own = group_of(group);
    tell(received, Untyped::call(own, receiving_piece(piece, type, from, tag)), element_of(type));
  });
}

int vnode_sendrecv_pieces(vnode_group* group, const vnode_piece* out, int to, const vnode_piece* in, int from,
                          vnode_type type, int tag, vnode_received* received) {
  return entry([&] {
    Group& own = group_of(group);
    const ElementType& element = element_of(type);
    const Buffer sent = elements_in(out, element, "out");
    const MessageArguments call = sending(MessageArguments::Operation::sendrecv, sent, element, to, tag);
    tell(received, Untyped::call(own, and_receiving(call, elements_in(in, element, "in"), from, tag)),
         element);
  });
}

int vnode_isend_piece(vnode_group* group, const vnode_piece* piece, vnode_type type, int to, int tag,
                      vnode_request** request) {
  return entry([&] {
    needed(request, "the address of the handle") = nullptr;
    put_handle(request, Untyped::start(group_of(group), sending_piece(piece, type, to, tag)));
  });
}

int vnode_irecv_piece(vnode_group* group, const vnode_piece* piece, vnode_type type, int from, int tag,
                      vnode_request** request) {
  return entry([&] {
    needed(request, "the address of the handle") = nullptr;
    put_handle(request, Untyped::start(group_of(group), receiving_piece(piece, type, from, tag)));
  });
}
