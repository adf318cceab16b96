#include "c/exchange.hpp"

#include "c/group.hpp"
#include "c/lists.hpp"
#include "c/messages.hpp"
#include "c/request.hpp"
#include "c/topology.hpp"

using namespace vnode;
using Operation = MessageArguments::Operation;

int vnode_neighbours_create(vnode_neighbours** neighbours, const vnode_topology* topology, int rank) {
  return entry([&] { put_handle(neighbours, Neighbours(at_handle(topology).is, rank)); });
}

int vnode_neighbours_create_lists(vnode_neighbours** neighbours, const int* sources, int sources_count,
                                  const int* targets, int targets_count) {
  return entry([&] {
    put_handle(neighbours, Neighbours(list_of(sources, sources_count, "sources"),
                                      list_of(targets, targets_count, "targets")));
  });
}

int vnode_neighbours_sources(const vnode_neighbours* neighbours, int* sources, int room) {
  return entry(
      [&] { return put_list(at_handle(neighbours).is.sources(), sources, room, "the list of ranks"); });
}

int vnode_neighbours_targets(const vnode_neighbours* neighbours, int* targets, int room) {
  return entry(
      [&] { return put_list(at_handle(neighbours).is.targets(), targets, room, "the list of ranks"); });
}

int vnode_neighbours_free(vnode_neighbours** neighbours) {
  return entry([&] { end_handle(neighbours); });
}

int vnode_send_piece(vnode_group* group, const vnode_piece* piece, vnode_type type, int to, int tag) {
  return entry(
      [&] { Untyped::call(group_of(group), sending(Operation::send, in_piece(piece, type), to, tag)); });
}

int vnode_recv_piece(vnode_group* group, const vnode_piece* piece, vnode_type type, int from, int tag,
                     vnode_received* received) {
  return entry([&] { receive(group, receiving(in_piece(piece, type), from, tag), received); });
}

int vnode_sendrecv_pieces(vnode_group* group, const vnode_piece* out, int to, const vnode_piece* in, int from,
                          vnode_type type, int tag, vnode_received* received) {
  return entry([&] {
    const auto sent = sending(Operation::sendrecv, in_piece(out, type, "out"), to, tag);
    receive(group, and_receiving(sent, in_piece(in, type, "in"), from, tag), received);
  });
}

int vnode_isend_piece(vnode_group* group, const vnode_piece* piece, vnode_type type, int to, int tag,
                      vnode_request** request) {
  return entry([&] {
    make_handle(request, [&] {
      return Untyped::start(group_of(group), sending(Operation::send, in_piece(piece, type), to, tag));
    });
  });
}

int vnode_irecv_piece(vnode_group* group, const vnode_piece* piece, vnode_type type, int from, int tag,
                      vnode_request** request) {
  return entry([&] {
    make_handle(request,
                [&] { return Untyped::start(group_of(group), receiving(in_piece(piece, type), from, tag)); });
  });
}
