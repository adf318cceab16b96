#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <vnode/call.hpp>
#include <vnode/data.hpp>
#include <vnode/element.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Offers blocking collective operations on one value of each node: they return the result and leave the
/// value as it is. A node that has no result gets T{}, which is zero where T is a number. Operations that are
/// not here take a value like a range: `me.broadcast(x, root)`, `me.all_gather(x, all)`.
///
///     const double residual = std::sqrt(me.all_reduce(mine * mine, std::plus<>{}));
///     const long first = me.exclusive_scan(count, std::plus<>{});
template <class Derived>
class ValueOperations {
 public:
  /// Returns x of node 0 op x of node 1 op ... op x of node p-1, with the same bits on all nodes, NaNs
  /// excepted as in Operations::all_reduce.
  template <Value T, BeforeOptions Operator>
  [[nodiscard("the result is returned, and the value stays as it is")]] T all_reduce(
      const T& x, Operator op, CallOptions options = {}) {
    T result = x;
    derived().all_reduce(one(result), std::move(op), options);
    return result;
  }
  /// Returns x of node 0 op ... op x of node p-1 on `root`, and T{} on the other nodes.
  template <Value T, BeforeOptions Operator>
  [[nodiscard("the result is returned, and the value stays as it is")]] T reduce(const T& x, Operator op,
                                                                                 Rank root = 0,
                                                                                 CallOptions options = {}) {
    T result{};
    derived().reduce(one(x), one(result), std::move(op), root, options);
    return result;
  }
  /// Takes node 0 as the root.
  template <Value T, BeforeOptions Operator>
  [[nodiscard("the result is returned, and the value stays as it is")]] T reduce(const T& x, Operator op,
                                                                                 CallOptions options) {
    return reduce(x, std::move(op), 0, options);
  }
  /// Returns x of node 0 op ... op x of this node.
  template <Value T, BeforeOptions Operator>
  [[nodiscard("the result is returned, and the value stays as it is")]] T scan(const T& x, Operator op,
                                                                               CallOptions options = {}) {
    T result = x;
    derived().scan(one(result), std::move(op), options);
    return result;
  }
  /// Returns x of node 0 op ... op x of the node before this one; T{} on node 0.
  template <Value T, BeforeOptions Operator>
  [[nodiscard("the result is returned, and the value stays as it is")]] T exclusive_scan(
      const T& x, Operator op, CallOptions options = {}) {
    T result{};
    derived().exclusive_scan(one(x), one(result), std::move(op), options);
    return result;
  }
  /// Returns x of all nodes, by rank.
  template <Value T>
  [[nodiscard("the result is returned")]] std::vector<T> all_gather(const T& x, CallOptions options = {}) {
    std::vector<T> all(static_cast<std::size_t>(derived().size()));
    derived().all_gather(one(x), all, options);
    return all;
  }
  /// Returns x of all nodes, by rank, on `root`, and an empty vector on the other nodes.
  template <Value T>
  [[nodiscard("the result is returned")]] std::vector<T> gather(const T& x, Rank root = 0,
                                                                CallOptions options = {}) {
    std::vector<T> all(derived().rank() == root ? static_cast<std::size_t>(derived().size()) : 0);
    derived().gather(one(x), all, root, options);
    return all;
  }
  /// Takes node 0 as the root.
  template <Value T>
  [[nodiscard("the result is returned")]] std::vector<T> gather(const T& x, CallOptions options) {
    return gather(x, 0, options);
  }
  /// Returns element r of `in` of `root` on node r: `me.scatter<double>(in, root)`. `in` of the other nodes
  /// is not read and may be empty.
  template <Value T, class In>
  [[nodiscard("the result is returned")]] T scatter(const In& in, Rank root = 0, CallOptions options = {}) {
    T result{};
    derived().scatter(in, one(result), root, options);
    return result;
  }
  /// Takes node 0 as the root.
  template <Value T, class In>
  [[nodiscard("the result is returned")]] T scatter(const In& in, CallOptions options) {
    return scatter<T>(in, 0, options);
  }
  /// Returns on node r x of node (r - shift) mod p.
  template <Value T>
  [[nodiscard("the result is returned, and the value stays as it is")]] T circular_shift(
      const T& x, int shift, CallOptions options = {}) {
    T result = x;
    derived().circular_shift(one(result), shift, options);
    return result;
  }

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }
  template <class T>
  static std::span<T> one(T& value) {
    return {std::addressof(value), 1};
  }
};

}  // namespace vnode
#pragma GCC visibility pop
