#pragma once

#include <bit>

#include <vnode/model/algorithms.hpp>

namespace vnode {

/// Returns the rounds in which one node can reach p nodes: each doubles the number that know.
constexpr int ceil_log2(int p) { return static_cast<int>(std::bit_width(static_cast<unsigned>(p - 1))); }

/// Returns the largest distance of a binomial tree of p nodes: the highest power of two below p; 0 for one
/// node.
constexpr int top_distance(int p) { return static_cast<int>(std::bit_ceil(static_cast<unsigned>(p)) / 2); }

/// Returns (b - a) mod p.
constexpr int cyclic_distance(Rank a, Rank b, int p) { return (b - a + p) % p; }

/// Returns the cost of `rounds` rounds, each with a message of m words.
constexpr Cost whole_messages(int rounds) { return {double(rounds), double(rounds), double(rounds), 0}; }

/// Returns the cost of `rounds` rounds in which p - 1 contributions of m words pass through the busiest port,
/// each once.
constexpr Cost one_block_per_other_node(int rounds, int p) {
  return {double(rounds), double(p - 1), double(p - 1), 0};
}

/// Returns the cost of one round in which some node receives a message of m words from each of the others.
constexpr Cost from_all_at_once(int p) { return {double(p > 1), double(p > 1), double(p - 1), 0}; }

/// Returns what a dual costs: all that is received is combined.
constexpr Cost combining(Cost cost) {
  cost.combined = cost.received;
  return cost;
}

/// Returns the cost of an algorithm whose own m is 1 / `parts` of the whole operation's.
constexpr Cost in_parts(Cost cost, int parts) {
  return {cost.startups, cost.words / parts, cost.received / parts, cost.combined / parts};
}

/// Returns what it costs when somebody gets a message of m words in every round.
template <const Count& rounds>
constexpr Cost message_in_each(const Parameters& parameters) {
  return whole_messages(rounds.value(parameters));
}

/// Returns what it costs when somebody gets a segment of such a message in every round.
template <const Count& rounds>
constexpr Cost segment_in_each(const Parameters& parameters) {
  return in_parts(message_in_each<rounds>(parameters), parameters.segments);
}

/// Returns the cost of one algorithm after the other.
constexpr Cost operator+(const Cost& a, const Cost& b) {
  return {a.startups + b.startups, a.words + b.words, a.received + b.received, a.combined + b.combined};
}

/// Every other node hears, or is heard, once.
inline constexpr Count one_per_other_node{"p - 1",
                                          [](const Parameters& parameters) { return parameters.nodes - 1; }};

/// Every other node hears, or is heard, once for every segment.
inline constexpr Count one_per_segment{
    "(p - 1) k", [](const Parameters& parameters) { return (parameters.nodes - 1) * parameters.segments; }};

/// Counts a round for each dimension of a hypercube.
inline constexpr Count one_per_dimension{
    "log2 p", [](const Parameters& parameters) { return ceil_log2(parameters.nodes); }};

/// Counts a round for each time that those who know double.
inline constexpr Count one_per_doubling{"ceil(log2 p)", one_per_dimension.value};

/// Everybody sends to everybody once.
inline constexpr Count one_per_pair{
    "p (p - 1)", [](const Parameters& parameters) { return parameters.nodes * (parameters.nodes - 1); }};
/// Counts one round, or none for one node.
inline constexpr Count one_unless_alone{
    "min(p - 1, 1)", [](const Parameters& parameters) { return int(parameters.nodes > 1); }};

inline constexpr Need power_of_two[] = {Need::power_of_two};
inline constexpr Need mesh_extents[] = {Need::extents};
inline constexpr Need rows_and_columns[] = {Need::extents, Need::rows_and_columns};
inline constexpr Need even_nodes[] = {Need::even};
inline constexpr Need few_nodes[] = {Need::few_nodes};

/// One message at a time crowds no link.
inline constexpr Carrier every_family[] = {{"array", ""},     {"ring", ""}, {"mesh", ""}, {"torus", ""},
                                           {"hypercube", ""}, {"tree", ""}, {"full", ""}};
/// Lists the carriers of binomial trees over relative ranks: on a torus the shorter ways round would meet.
inline constexpr Carrier every_family_but_torus[] = {{"array", ""},     {"ring", ""}, {"mesh", ""},
                                                     {"hypercube", ""}, {"tree", ""}, {"full", ""}};
/// Lists the carriers of messages in disjoint intervals of ranks. On a mesh two may meet that run away from
/// each other.
inline constexpr Carrier every_line[] = {
    {"array", ""}, {"ring", ""}, {"hypercube", ""}, {"tree", ""}, {"full", ""}};
/// Lists the carriers of what goes backwards over lines. A way back on a mesh of xy ways is a yx way.
inline constexpr Carrier every_line_and_yx[] = {{"array", ""},     {"ring", ""}, {"mesh", "yx"},
                                                {"hypercube", ""}, {"tree", ""}, {"full", ""}};
/// Lists what has the lines of a mesh, a hypercube of the same p among them.
inline constexpr Carrier mesh_families[] = {{"mesh", ""}, {"torus", ""}, {"hypercube", ""}, {"full", ""}};
/// Lists the carriers where every message takes one link, or all take the same shift.
inline constexpr Carrier hypercube_family[] = {{"hypercube", ""}, {"full", ""}};
inline constexpr Carrier fully_connected[] = {{"full", ""}};

}  // namespace vnode
