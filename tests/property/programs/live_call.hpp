#pragma once

#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "../../stress/abort/guarded_buffer.hpp"
#include "images.hpp"

namespace vnode_test {

/// A node's memory for a call: where it may have to unwind, gone when it is gone.
template <class T>
class Memory {
 public:
  Memory(std::size_t count, bool guarded) {
    if (guarded)
      guarded_.emplace(count);
    else
      plain_.resize(count);
  }
  std::span<T> data() { return guarded_ ? guarded_->data() : std::span<T>(plain_); }

 private:
  std::optional<GuardedBuffer<T>> guarded_;
  std::vector<T> plain_;
};

/// Holds one node's part in an operation, from its beginning to its end. A persistent call has several lives.
class LiveCall {
 public:
  virtual ~LiveCall() = default;
  /// In its blocking form.
  virtual void call(vnode::Group& group) = 0;
  /// In one of the others.
  virtual void start(vnode::Group& group, const Operation& operation, Form form) = 0;
  /// What is wrong now that it is complete, or nothing.
  virtual std::string wrong() = 0;
  virtual vnode::Request& request() = 0;
  /// Null unless it is one.
  virtual vnode::Persistent* persistent() = 0;
};

template <class V>
class TypedCall : public LiveCall {
 public:
  using T = typename V::Type;

  /// `fuse`: of the node's operators.
  TypedCall(const Operation& operation, int nodes, int rank, bool receives, bool guarded, int* fuse)
      : operation_(operation),
        nodes_(nodes),
        rank_(rank),
        receives_(receives),
        fuse_(fuse),
        roundings_(operation.kind == Operation::Kind::collective
                       ? roundings(operation.collective, operation.algorithm, nodes)
                       : 1),
        images_(images()),
        in_(images_.in.size(), guarded),
        out_(images_.out.size(), guarded) {}

  void call(vnode::Group& group) override {
    fill();
    if (operation_.kind == Operation::Kind::collective) return made(group);
    if (operation_.kind == Operation::Kind::exchange) {
      const int to = (rank_ + operation_.shift) % nodes_, from = (rank_ - operation_.shift + nodes_) % nodes_;
      received_ = group.sendrecv(in_.data(), to, out_.data(), from, operation_.tag);
    } else if (receives_) {
      received_ = group.recv(out_.data(), operation_.from, operation_.tag);
    } else {
      group.send(in_.data(), operation_.to, operation_.tag);
    }
  }

  void start(vnode::Group& group, const Operation& operation, Form form) override {
    operation_.salt = operation.salt;
    fill();
    if (operation_.kind == Operation::Kind::message) {
      request_ = receives_ ? group.irecv(out_.data(), operation_.from, operation_.tag)
                           : group.isend(in_.data(), operation_.to, operation_.tag);
    } else if (form == Form::request) {
      vnode::Nonblocking calls = group.nonblocking();
      request_ = made(calls);
    } else {
      vnode::Planning calls = group.persistent();
      if (!persistent_) persistent_.emplace(made(calls));
      persistent_->start();
    }
  }

  std::string wrong() override {
    std::ostringstream text;
    const std::span<T> in = in_.data(), out = out_.data();
    for (std::size_t i = 0; i < in.size(); ++i)
      if (!(in[i] == images_.in[i])) {
        text << "element " << i << " of its input has changed";
        return text.str();
      }
    for (std::size_t i = 0; i < images_.compared; ++i)
      if (!agrees<V>(out[i], images_.expected[i], roundings_)) {
        text << "element " << i << " of " << images_.compared << " is wrong";
        return text.str();
      }
    const bool counts = receives_ || operation_.kind == Operation::Kind::exchange;
    if (counts && (request_started_ ? request_.count() : received_) != operation_.count)
      text << "the number of elements received is wrong";
    return text.str();
  }

  vnode::Request& request() override {
    request_started_ = true;
    return request_;
  }
  vnode::Persistent* persistent() override { return persistent_ ? &*persistent_ : nullptr; }

 private:
  /// Before and after this life.
  Images<V> images() const {
    if (operation_.kind == Operation::Kind::collective) return Images<V>(operation_, nodes_, rank_);
    Images<V> made;
    const bool exchange = operation_.kind == Operation::Kind::exchange;
    const int from = exchange ? (rank_ - operation_.shift + nodes_) % nodes_ : operation_.from;
    const auto sent = [&](int source) {
      const Range range{operation_.count, {{0, operation_.count, source, source + 1, -1}}};
      return written<V>(std::vector<T>(operation_.count), operation_, range);
    };
    if (exchange || !receives_) made.in = sent(rank_);
    if (!exchange && !receives_) return made;
    made.out.assign(exchange ? operation_.count : operation_.room, untouched<T>());
    made.expected = sent(from);
    made.expected.resize(made.out.size(), untouched<T>());
    made.compared = made.out.size();
    return made;
  }

  void fill() {
    images_ = images();
    std::ranges::copy(images_.in, in_.data().begin());
    std::ranges::copy(images_.out, out_.data().begin());
  }

  /// The collective call, in the form of `calls`. Divisions are the caller's until it returns.
  template <class Calls>
  auto made(Calls& calls) {
    using enum vnode::Collective;
    const std::span<T> in = in_.data(), out = out_.data();
    const bool canonical = V::deterministic && vnode::combines(operation_.collective);
    const vnode::CallOptions options{operation_.algorithm, operation_.segments, operation_.radix, canonical};
    const Division of_in = division(operation_, nodes_, rank_, false),
                   of_out = division(operation_, nodes_, rank_, true);
    const vnode::Partition ins = partition(of_in), outs = partition(of_out);
    const bool in_place = operation_.in_place, varying = operation_.varying;
    const int root = operation_.root, shift = operation_.shift;
    const auto op = V::operation(fuse_);
    switch (operation_.collective) {
      case broadcast:
        return calls.broadcast(out, root, options);
      case reduce:
        return in_place ? calls.reduce(out, op, root, options) : calls.reduce(in, out, op, root, options);
      case all_reduce:
        return in_place ? calls.all_reduce(out, op, options) : calls.all_reduce(in, out, op, options);
      case scan:
        return in_place ? calls.scan(out, op, options) : calls.scan(in, out, op, options);
      case exclusive_scan:
        return in_place ? calls.exclusive_scan(out, op, options) : calls.exclusive_scan(in, out, op, options);
      case all_gather:
        if (varying)
          return in_place ? calls.all_gather_v(out, outs, options)
                          : calls.all_gather_v(in, out, outs, options);
        return in_place ? calls.all_gather(out, options) : calls.all_gather(in, out, options);
      case reduce_scatter:
        if (varying)
          return in_place ? calls.reduce_scatter_v(out, ins.counts, op, options)
                          : calls.reduce_scatter_v(in, out, ins.counts, op, options);
        return in_place ? calls.reduce_scatter(out, op, options) : calls.reduce_scatter(in, out, op, options);
      case scatter:
        if (varying)
          return in_place ? calls.scatter_v(out, ins, root, options)
                          : calls.scatter_v(in, ins, out, root, options);
        return in_place ? calls.scatter(out, root, options) : calls.scatter(in, out, root, options);
      case gather:
        if (varying)
          return in_place ? calls.gather_v(out, outs, root, options)
                          : calls.gather_v(in, out, outs, root, options);
        return in_place ? calls.gather(out, root, options) : calls.gather(in, out, root, options);
      case all_to_all:
        if (varying)
          return in_place ? calls.all_to_all_v(out, ins, options)
                          : calls.all_to_all_v(in, ins, out, outs, options);
        return in_place ? calls.all_to_all(out, options) : calls.all_to_all(in, out, options);
      case circular_shift:
        return in_place ? calls.circular_shift(out, shift, options)
                        : calls.circular_shift(in, out, shift, options);
      case barrier:
        break;
    }
    return calls.barrier(options);
  }

  static vnode::Partition partition(const Division& division) {
    if (division.plain) return {division.counts};
    return {division.counts, division.displacements};
  }

  Operation operation_;
  int nodes_, rank_;
  bool receives_;
  int* fuse_;
  int roundings_;
  Images<V> images_;
  Memory<T> in_, out_;
  std::size_t received_ = 0;
  bool request_started_ = false;
  // Last: they end before the memory does.
  vnode::Request request_;
  std::optional<vnode::Persistent> persistent_;
};

}
