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

/// Names the nodes of a domain that exchange messages with other domains.
enum class HierarchyForm {
  leaders,  ///< one node of each domain, with whole messages: as few messages across domains as possible
  slices    ///< as many nodes of each domain as the smallest has, each with a slice of the message
};
namespace enums {
/// Returns "leaders" or "slices".
std::string_view name(HierarchyForm form);
}

/// Says which ranks are near each other, as domains, domains of domains and so on, and by which algorithms
/// messages travel inside domains and across them. It is immutable, copies are cheap, and equal ones compare
/// equal.
class Hierarchy {
 public:
  /// Lists the domains of one level. Every rank is in one of them.
  using Domains = std::vector<std::vector<Rank>>;
  /// Describes the algorithms inside and across domains, and the form; if no form is given, it is leaders or
  /// what the choice of algorithms takes.
  struct Ways {
    /// The algorithm inside the innermost domains, without its collective: "binomial". Where a collective has
    /// several tasks there, names may be joined by '+', each for the tasks that have an algorithm of that
    /// name: "binomial+ring". Tasks without a name, or all if this is empty, have their usual algorithm.
    std::string inner{};
    std::string outer{};                     ///< likewise the algorithm across the domains of every level
    std::optional<HierarchyForm> form = {};  ///< which nodes talk to other domains
    friend bool operator==(const Ways&, const Ways&) = default;
  };
  /// Returns the domains that a name stands for, such as a machine's "numa".
  using Named = std::function<Domains(std::string_view name)>;

  /// Makes a hierarchy without domains: all nodes are equally near.
  Hierarchy() = default;
  /// Takes 1 to 16 levels, the outermost first. Throws UsageError for any other number, if a level does not
  /// have every rank once, if a domain is in several of the next outer level, or if there is no algorithm of
  /// a name.
  explicit Hierarchy(std::vector<Domains> levels, Ways ways);
  /// Takes the levels, with the usual algorithms.
  explicit Hierarchy(std::vector<Domains> levels) : Hierarchy(std::move(levels), Ways{}) {}
  /// Reads a text: the domains, then ",inner=NAME", ",outer=NAME", ",form=leaders|slices" as needed. Domains
  /// are "4x8", four of eight consecutive ranks; "2x4x8", two of four of eight; lists such as "0-3,4+6,5+7",
  /// levels separated by '/', outermost first; or names that `named` knows, "package/numa". Throws
  /// UsageError, which says what is wrong with the text or that it does not fit `nodes` nodes.
  static Hierarchy parse(std::string_view text, int nodes, const Named& named = {});

  /// Returns whether there are domains.
  explicit operator bool() const { return content_ != nullptr; }
  /// Returns the number of nodes, p; 0 without domains.
  int nodes() const;
  /// Returns the number of levels; 0 without domains.
  int levels() const;
  /// Returns the domains of a level, 0 being the outermost: ranks ascending, domains by their lowest rank.
  const Domains& domains(int level = 0) const;
  /// Returns the hierarchy inside domain `index` of the outermost level: the other levels, or none if there
  /// is only one. Its rank i is domains()[index][i].
  Hierarchy within(int index) const;
  /// Returns the algorithms inside and across domains, as given.
  const Ways& ways() const;
  /// Returns the same domains with other algorithms.
  Hierarchy with(Ways ways) const;
  /// Returns the number of levels at which two ranks are in different domains: 0 if they share an innermost
  /// domain, levels() if they are in different outermost ones.
  int apart(Rank a, Rank b) const;
  /// Returns the text that parse() reads, "4x8,inner=binomial"; empty without domains.
  std::string text() const;

  friend bool operator==(const Hierarchy& a, const Hierarchy& b);

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

}  // namespace vnode
#pragma GCC visibility pop
