#include "c/exchange.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "c/described.hpp"
#include "c/messages.hpp"
#include "c/topology.hpp"

namespace vnode {
namespace {

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
  return entry([&] { put_handle(neighbours, Neighbours(at_handle(topology).is, rank)); });
}

int vnode_neighbours_create_lists(vnode_neighbours** neighbours, const int* sources, int sources_count,
                                  const int* targets, int targets_count) {
  return entry([&] {
    put_handle(neighbours, Neighbours(ranks_in(sources, sources_count, "sources"),
                                      ranks_in(targets, targets_count, "targets")));
  });
}

int vnode_neighbours_sources(const vnode_neighbours* neighbours, int* sources, int room) {
  return entry([&] { return listed(at_handle(neighbours).is.sources(), sources, room); });
}

int vnode_neighbours_targets(const vnode_neighbours* neighbours, int* targets, int room) {
  return entry([&] { return listed(at_handle(neighbours).is.targets(), targets, room); });
}

int vnode_neighbours_free(vnode_neighbours** neighbours) {
  return entry([&] { end_handle(neighbours); });
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
