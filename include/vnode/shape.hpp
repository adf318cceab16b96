#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The kinds of topology.
enum class Family {
  array,      ///< linear array: node i is linked to i - 1 and i + 1
  ring,       ///< an array whose ends are linked
  mesh,       ///< the product of arrays; ranks in row-major order
  torus,      ///< the product of rings: a mesh with wraparound
  hypercube,  ///< p = 2^d; neighbours differ in one bit of the rank
  tree,       ///< balanced binary tree with p = 2^d nodes at its leaves and switches inside
  full,       ///< fully connected: a link between any two nodes
};

/// "array", "ring", "mesh", "torus", "hypercube", "tree", "full".
std::string_view name(Family family);
/// All families, in the order of the enumeration.
std::span<const Family> families();
/// The family of that name; UsageError lists the names there are.
Family parse_family(std::string_view text);

/// The most nodes a topology may have.
inline constexpr int max_nodes = 1 << 20;
/// The most nodes a full topology may have: its links, p (p - 1) directions, are then numbered by int.
inline constexpr int max_full_nodes = 1 << 15;
/// The most dimensions a topology may have, and the most extents a mesh or torus.
inline constexpr int max_dimensions = 20;

/// What a topology is before its number of nodes is known: a family and, for a mesh or torus, extents if they
/// are given. Written as text: ring, array, mesh, mesh:4x4, torus:2x3x4, hypercube, tree, full. A cheap
/// value.
class Shape {
 public:
  /// `extents`: of a mesh or torus, slowest first; none leaves them open. UsageError if they are fewer than
  /// 2, more than max_dimensions, less than 1, of more than max_nodes nodes, or given to another family.
  explicit Shape(Family family, std::span<const int> extents = {});
  /// The shape that `text` describes; UsageError says what is wrong with it.
  static Shape parse(std::string_view text);

  /// The kind of topology.
  Family family() const { return family_; }
  /// The extents given, slowest first; empty if none are.
  std::span<const int> extents() const { return {extents_.data(), static_cast<std::size_t>(dimensions_)}; }
  /// The number of nodes, where the extents tell.
  std::optional<int> nodes() const;
  /// The text form: Shape::parse(text()) is the same shape.
  std::string text() const;

  /// Equal family and extents.
  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  Family family_;
  int dimensions_ = 0;
  std::array<int, max_dimensions> extents_{};
};

/// A linear array, as a type so that Team{8, array{}} reads well. So are the other families.
struct array : Shape {
  array() : Shape(Family::array) {}
};
/// A ring.
struct ring : Shape {
  ring() : Shape(Family::ring) {}
};
/// A mesh: mesh{4, 4} with the slowest extent first, or mesh{}, the squarest factorisation of p in two
/// dimensions.
struct mesh : Shape {
  mesh() : Shape(Family::mesh) {}
  /// UsageError as Shape's.
  mesh(std::initializer_list<int> extents) : Shape(Family::mesh, {extents.begin(), extents.size()}) {}
};
/// A torus, given as a mesh is.
struct torus : Shape {
  torus() : Shape(Family::torus) {}
  /// UsageError as Shape's.
  torus(std::initializer_list<int> extents) : Shape(Family::torus, {extents.begin(), extents.size()}) {}
};
/// A hypercube.
struct hypercube : Shape {
  hypercube() : Shape(Family::hypercube) {}
};
/// A balanced binary tree, nodes at the leaves.
struct tree : Shape {
  tree() : Shape(Family::tree) {}
};
/// Fully connected.
struct full : Shape {
  full() : Shape(Family::full) {}
};

}  // namespace vnode
#pragma GCC visibility pop
