#pragma once

#include <atomic>
#include <cstddef>
#include <string_view>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/vnode.hpp>

#include "elements.hpp"

namespace vnode_test {

/// Is an algorithm by its name.
struct Choice {
  vnode::Collective collective;
  std::string_view name;  ///< empty: the automatic choice
};
/// All algorithms, and one automatic choice for each collective.
inline std::vector<Choice> choices() {
  std::vector<Choice> all;
  for (const vnode::Collective collective : vnode::collectives()) all.push_back({collective, ""});
  for (const vnode::Algorithm& algorithm : vnode::algorithms())
    all.push_back({algorithm.collective, algorithm.name});
  return all;
}

/// How a collective is called.
enum class Form { blocking, nonblocking, persistent };

/// Is one collective call of all nodes of a team.
struct Trial {
  vnode::Collective collective;
  vnode::CallOptions options;
  Form form = Form::blocking;
  int root = 0;
  int shift = 0;
  bool in_place = false;
  std::size_t count = 0;  ///< m
};

/// `call(operations)` in the form asked for. A persistent call is started twice; `again()` restores its data
/// in between.
template <class Call, class Again>
void in_form(Form form, vnode::Group& group, const Call& call, const Again& again) {
  if (form == Form::blocking) {
    call(group);
  } else if (form == Form::nonblocking) {
    vnode::Nonblocking operations = group.nonblocking();
    vnode::Request request = call(operations);
    request.wait();
  } else {
    vnode::Planning operations = group.persistent();
    vnode::Persistent planned = call(operations);
    for (int start = 0; start < 2; ++start) {
      if (start > 0) again();
      planned.start();
      planned.wait();
    }
  }
}

/// Describes what every node brings to a call and must have afterwards; V is one of Values.
template <class V>
class Data {
 public:
  Data(const Trial& trial, int nodes)
      : trial_(trial),
        p_(nodes),
        m_(trial.count),
        roundings_(roundings(trial.collective, trial.options.algorithm, nodes)) {
    if (!vnode::combines(trial.collective)) return;
    auto op = V::operation(nullptr);
    const Vector first = brought(0);
    prefixes_.emplace_back(first.begin(), first.end());
    for (int rank = 1; rank < p_; ++rank) {
      std::vector<Wide> next = prefixes_.back();
      for (std::size_t i = 0; i < next.size(); ++i)
        next[i] = static_cast<Wide>(op(next[i], static_cast<Wide>(value(rank, i))));
      if (trial.collective != Collective::scan && trial.collective != Collective::exclusive_scan)
        prefixes_.clear();
      prefixes_.push_back(std::move(next));
    }
  }

  /// What node `rank` brings: of message `message`.
  std::vector<typename V::Type> brought(int rank) const {
    Vector all;
    const std::size_t messages = divided() ? static_cast<std::size_t>(p_) : 1;
    for (std::size_t i = 0; i < messages * m_; ++i) all.push_back(value(rank, i));
    return all;
  }

  /// What node `rank` must have in the end; nothing where its output is not touched.
  std::vector<typename V::Type> expected(int rank) const {
    using enum vnode::Collective;
    const auto r = static_cast<std::size_t>(rank);
    switch (trial_.collective) {
      case broadcast:
        return brought(trial_.root);
      case reduce:
        return rank == trial_.root ? rounded(prefixes_.back()) : Vector{};
      case all_reduce:
        return rounded(prefixes_.back());
      case scan:
        return rounded(prefixes_[r]);
      case exclusive_scan:
        return rank > 0 ? rounded(prefixes_[r - 1]) : Vector{};
      case reduce_scatter:
        return part(rounded(prefixes_.back()), r);
      case all_gather:
        return joined();
      case gather:
        return rank == trial_.root ? joined() : Vector{};
      case scatter:
        return part(brought(trial_.root), r);
      case all_to_all: {
        Vector all;
        for (int from = 0; from < p_; ++from) append(all, part(brought(from), r));
        return all;
      }
      case circular_shift:
        return brought(((rank - trial_.shift) % p_ + p_) % p_);
      case barrier:
        break;
    }
    return {};
  }

  /// Calls it on node `me`; the number of wrong elements.
  std::size_t wrong(vnode::Group& me) const { return trial_.in_place ? in_place(me) : apart(me); }

 private:
  using Collective = vnode::Collective;
  using T = typename V::Type;
  using Wide = typename V::Wide;
  using Vector = std::vector<T>;

  static T value(int rank, std::size_t i) {
    return V::value(mixed(static_cast<std::uint64_t>(rank) << 40 | i));
  }
  static Vector rounded(const std::vector<Wide>& wide) {
    Vector made;
    for (const Wide& element : wide) made.push_back(static_cast<T>(element));
    return made;
  }

  bool divided() const {
    return trial_.collective == Collective::scatter || trial_.collective == Collective::all_to_all ||
           trial_.collective == Collective::reduce_scatter;
  }
  bool gathers() const {
    return trial_.collective == Collective::gather || trial_.collective == Collective::all_gather;
  }
  Vector part(const Vector& whole, std::size_t r) const {
    return Vector(whole.begin() + static_cast<std::ptrdiff_t>(r * m_),
                  whole.begin() + static_cast<std::ptrdiff_t>((r + 1) * m_));
  }
  static void append(Vector& to, const Vector& more) { to.insert(to.end(), more.begin(), more.end()); }
  Vector joined() const {
    Vector all;
    for (int rank = 0; rank < p_; ++rank) append(all, brought(rank));
    return all;
  }
  static std::size_t differing(const Vector& seen, const Vector& wanted, int roundings = 1) {
    std::size_t wrong = seen.size() < wanted.size();
    for (std::size_t i = 0; i < seen.size() && i < wanted.size(); ++i)
      wrong += !agrees<V>(seen[i], wanted[i], roundings);
    return wrong;
  }

  std::size_t apart(vnode::Group& me) const {
    const bool root = me.rank() == trial_.root;
    const Vector in = trial_.collective != Collective::scatter || root ? brought(me.rank()) : Vector{};
    const Vector wanted = expected(me.rank());
    Vector out(wanted.size());
    if (trial_.collective == Collective::exclusive_scan) out.resize(m_);
    if (trial_.collective == Collective::broadcast) out = in;
    Vector source = in;
    in_form(
        trial_.form, me, [&](auto& operations) { return call(operations, source, out); },
        [&] {
          if (trial_.collective == Collective::broadcast)
            out = in;
          else
            std::fill(out.begin(), out.end(), T{});
        });
    return differing(out, wanted, roundings_) + differing(source, in);
  }

  template <class Calls>
  auto call(Calls& group, const Vector& in, Vector& out) const {
    const auto& options = trial_.options;
    using enum vnode::Collective;
    switch (trial_.collective) {
      case reduce:
        return group.reduce(in, out, V::operation(nullptr), trial_.root, options);
      case all_reduce:
        return group.all_reduce(in, out, V::operation(nullptr), options);
      case scan:
        return group.scan(in, out, V::operation(nullptr), options);
      case exclusive_scan:
        return group.exclusive_scan(in, out, V::operation(nullptr), options);
      case reduce_scatter:
        return group.reduce_scatter(in, out, V::operation(nullptr), options);
      case all_gather:
        return group.all_gather(in, out, options);
      case gather:
        return group.gather(in, out, trial_.root, options);
      case scatter:
        return group.scatter(in, out, trial_.root, options);
      case all_to_all:
        return group.all_to_all(in, out, options);
      case circular_shift:
        return group.circular_shift(in, out, trial_.shift, options);
      case broadcast:
        break;
      case barrier:
        return group.barrier(options);
    }
    return group.broadcast(out, trial_.root, options);
  }

  /// One range: what is brought lies in it where the form in place wants it, and so does the result.
  std::size_t in_place(vnode::Group& me) const {
    const bool root = me.rank() == trial_.root;
    const Vector in = trial_.collective != Collective::scatter || root ? brought(me.rank()) : Vector(m_);
    const Vector wanted = expected(me.rank());
    const bool whole = trial_.collective == Collective::all_gather || (gathers() && root);
    const auto fill = [&](Vector& data) {
      if (!whole) {
        data = in;
        return;
      }
      data.assign(m_ * static_cast<std::size_t>(p_), T{});
      std::copy(in.begin(), in.end(),
                data.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(me.rank()) * m_));
    };
    Vector data;
    fill(data);
    in_form(
        trial_.form, me, [&](auto& operations) { return call(operations, data); },
        [&] {
          Vector fresh;
          fill(fresh);
          std::copy(fresh.begin(), fresh.end(), data.begin());
        });
    if (trial_.collective == Collective::scatter && root)  // its own part stays where it is
      return differing(data, in);
    return differing(data, wanted, roundings_);
  }

  template <class Calls>
  auto call(Calls& group, Vector& data) const {
    const auto& options = trial_.options;
    using enum vnode::Collective;
    switch (trial_.collective) {
      case reduce:
        return group.reduce(data, V::operation(nullptr), trial_.root, options);
      case all_reduce:
        return group.all_reduce(data, V::operation(nullptr), options);
      case scan:
        return group.scan(data, V::operation(nullptr), options);
      case exclusive_scan:
        return group.exclusive_scan(data, V::operation(nullptr), options);
      case reduce_scatter:
        return group.reduce_scatter(data, V::operation(nullptr), options);
      case all_gather:
        return group.all_gather(data, options);
      case gather:
        return group.gather(data, trial_.root, options);
      case scatter:
        return group.scatter(data, trial_.root, options);
      case all_to_all:
        return group.all_to_all(data, options);
      case circular_shift:
        return group.circular_shift(data, trial_.shift, options);
      case broadcast:
        break;
      case barrier:
        return group.barrier(options);
    }
    return group.broadcast(data, trial_.root, options);
  }

  Trial trial_;
  int p_;
  std::size_t m_;
  int roundings_;
  std::vector<std::vector<Wide>> prefixes_;  // of a scan, by rank; of other reductions, the last only
};

/// The call by all nodes of a team, against the sequential result; the number of wrong elements.
inline std::size_t wrong_in(vnode::Team& team, const Trial& trial, Element element) {
  return with_values(element, [&](auto values) {
    const Data<decltype(values)> data(trial, team.size());
    std::atomic<std::size_t> wrong{0};
    team.run([&](vnode::Node& me) { wrong += data.wrong(me); });
    return wrong.load();
  });
}

}
