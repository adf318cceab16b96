#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Who of a domain talks to other domains.
enum class HierarchyForm {
  leaders,  ///< one node of each domain, with whole messages: as few messages across domains as possible
  slices    ///< as many nodes of each domain as the smallest has, each with a slice of the message
};
/// "leaders", "slices".
std::string_view name(HierarchyForm form);

/// Which ranks are near each other: domains, domains of those, and so on; and by which algorithms messages
/// travel inside a domain and across. It never changes, copies are cheap, and equal ones compare equal.
class Hierarchy {
 public:
  /// The domains of one level: every rank is in one of them.
  using Domains = std::vector<std::vector<Rank>>;
  /// What else there is to say.
  struct Ways {
    /// The algorithm inside the innermost domains, without its collective: "binomial". Where a collective has
    /// several tasks there, names joined by '+', each for the tasks for which there is an algorithm of that
    /// name: "binomial+ring". Empty, or for other tasks: the usual ones.
    std::string inner{};
    std::string outer{};                     ///< likewise, among the domains of every level
    std::optional<HierarchyForm> form = {};  ///< none: leaders, or what the choice of algorithms says
    friend bool operator==(const Ways&, const Ways&) = default;
  };
  /// The domains of a name: those of a machine's "numa".
  using Named = std::function<Domains(std::string_view name)>;

  /// None: all nodes are equally near.
  Hierarchy() = default;
  /// Levels from the outermost on, 16 at most. UsageError if there is none, a level does not have every rank
  /// once, a domain is in several of the level outside, or there is no algorithm of a name.
  explicit Hierarchy(std::vector<Domains> levels, Ways ways);
  /// The same with the usual algorithms.
  explicit Hierarchy(std::vector<Domains> levels) : Hierarchy(std::move(levels), Ways{}) {}
  /// From text: the domains, then ",inner=NAME", ",outer=NAME", ",form=leaders|slices" as far as wanted.
  /// Domains are "4x8", four of eight consecutive ranks; "2x4x8", two of four of eight; lists such as
  /// "0-3,4+6,5+7", levels separated by '/', outermost first; or names that `named` knows, "package/numa".
  /// UsageError says what is wrong with it, and if it is not for `nodes` nodes.
  static Hierarchy parse(std::string_view text, int nodes, const Named& named = {});

  /// Whether there are domains.
  explicit operator bool() const { return content_ != nullptr; }
  /// p; 0 without domains.
  int nodes() const;
  /// The number of levels; 0 without domains.
  int levels() const;
  /// The domains of level 0, the outermost, and so on: ranks ascending, domains by their lowest rank.
  const Domains& domains(int level = 0) const;
  /// What inside domain `index` of the outermost level is left of the other levels: none if that is one. Its
  /// rank i is domains()[index][i].
  Hierarchy within(int index) const;
  /// As given.
  const Ways& ways() const;
  /// The same domains, otherwise gone about.
  Hierarchy with(Ways ways) const;
  /// The number of levels at which two ranks are apart: 0, they share an innermost domain; levels(), they are
  /// in different outermost ones.
  int apart(Rank a, Rank b) const;
  /// What parse() reads: "4x8,inner=binomial"; empty without domains.
  std::string text() const;

  friend bool operator==(const Hierarchy& a, const Hierarchy& b);

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

}  // namespace vnode
#pragma GCC visibility pop
