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

/// Collective operations on one value of each node, in their blocking form: they return the result, and the
/// value stays as it is. A node that has no result gets T{}: zero, where T is a number. What is not here is
/// called as with ranges: `me.broadcast(x, root)`, `me.all_gather(x, all)`.
///
///     const double residual = std::sqrt(me.all_reduce(mine * mine, std::plus<>{}));
///     const long first = me.exclusive_scan(count, std::plus<>{});
template <class Derived>
class ValueOperations {
 public:
  /// x of node 0 op x of node 1 op ... op x of node p-1, with the same bits on all nodes.
  template <Value T, BeforeOptions Operator>
  [[nodiscard("the result is returned, and the value stays as it is")]] T all_reduce(
      const T& x, Operator op, CallOptions options = {}) {
    T result = x;
    derived().all_reduce(one(result), std::move(op), options);
    return result;
  }
  /// The same on `root`; T{} on the others.
  template <Value T, BeforeOptions Operator>
  [[nodiscard("the result is returned, and the value stays as it is")]] T reduce(const T& x, Operator op,
                                                                                 Rank root = 0,
                                                                                 CallOptions options = {}) {
    T result{};
    derived().reduce(one(x), one(result), std::move(op), root, options);
    return result;
  }
  /// Root 0.
  template <Value T, BeforeOptions Operator>
  [[nodiscard("the result is returned, and the value stays as it is")]] T reduce(const T& x, Operator op,
                                                                                 CallOptions options) {
    return reduce(x, std::move(op), 0, options);
  }
  /// x of node 0 op ... op x of this node.
  template <Value T, BeforeOptions Operator>
  [[nodiscard("the result is returned, and the value stays as it is")]] T scan(const T& x, Operator op,
                                                                               CallOptions options = {}) {
    T result = x;
    derived().scan(one(result), std::move(op), options);
    return result;
  }
  /// x of node 0 op ... op x of the node before this one; T{} on node 0.
  template <Value T, BeforeOptions Operator>
  [[nodiscard("the result is returned, and the value stays as it is")]] T exclusive_scan(
      const T& x, Operator op, CallOptions options = {}) {
    T result{};
    derived().exclusive_scan(one(x), one(result), std::move(op), options);
    return result;
  }
  /// x of all nodes, by rank.
  template <Value T>
  [[nodiscard("the result is returned")]] std::vector<T> all_gather(const T& x, CallOptions options = {}) {
    std::vector<T> all(static_cast<std::size_t>(derived().size()));
    derived().all_gather(one(x), all, options);
    return all;
  }
  /// The same on `root`; an empty vector on the others.
  template <Value T>
  [[nodiscard("the result is returned")]] std::vector<T> gather(const T& x, Rank root = 0,
                                                                CallOptions options = {}) {
    std::vector<T> all(derived().rank() == root ? static_cast<std::size_t>(derived().size()) : 0);
    derived().gather(one(x), all, root, options);
    return all;
  }
  /// Root 0.
  template <Value T>
  [[nodiscard("the result is returned")]] std::vector<T> gather(const T& x, CallOptions options) {
    return gather(x, 0, options);
  }
  /// Element r of `in` of `root`, on node r: `me.scatter<double>(in, root)`. `in` of the others is not looked
  /// at and may be empty.
  template <Value T, class In>
  [[nodiscard("the result is returned")]] T scatter(const In& in, Rank root = 0, CallOptions options = {}) {
    T result{};
    derived().scatter(in, one(result), root, options);
    return result;
  }
  /// Root 0.
  template <Value T, class In>
  [[nodiscard("the result is returned")]] T scatter(const In& in, CallOptions options) {
    return scatter<T>(in, 0, options);
  }
  /// x of node r - shift mod p, on node r.
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
