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

namespace enums {
/// Returns "array", "ring", "mesh", "torus", "hypercube", "tree" or "full".
std::string_view name(Family family);
}  // namespace enums
/// Returns all families, in the order of the enumeration.
std::span<const Family> families();
/// Returns the family of that name; throws UsageError, which lists the names there are.
Family parse_family(std::string_view text);

/// The most nodes a topology may have.
inline constexpr int max_nodes = 1 << 20;
/// The most nodes a full topology may have: its p (p - 1) directed links are numbered by int.
inline constexpr int max_full_nodes = 1 << 15;
/// The most dimensions a topology may have, and the most extents a mesh or torus.
inline constexpr int max_dimensions = 20;

/// A topology without its number of nodes: a family and, for a mesh or torus, optional extents. As text:
/// ring, array, mesh, mesh:4x4, torus:2x3x4, hypercube, tree, full. Copies are cheap.
class Shape {
 public:
  /// Takes the extents of a mesh or torus, slowest first; without any they are left open. Throws UsageError
  /// if there are fewer than 2 or more than max_dimensions, one is less than 1, they make more than max_nodes
  /// nodes, or another family has any.
  explicit Shape(Family family, std::span<const int> extents = {});
  /// Returns the shape that `text` describes; throws UsageError, which says what is wrong with it.
  static Shape parse(std::string_view text);

  /// Returns the kind of topology.
  Family family() const { return family_; }
  /// Returns the extents given, slowest first; none if they are open.
  std::span<const int> extents() const { return {extents_.data(), static_cast<std::size_t>(dimensions_)}; }
  /// Returns the number of nodes if the extents determine it.
  std::optional<int> nodes() const;
  /// Returns the text form: Shape::parse(text()) is the same shape.
  std::string text() const;

  /// Compares family and extents.
  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  Family family_;
  int dimensions_ = 0;
  std::array<int, max_dimensions> extents_{};
};

/// Shapes by name, and the dimensions of a split: `using namespace vnode::shapes;` makes them short.
namespace shapes {

/// A linear array. Families are types so that Team{8, shapes::array{}} reads well.
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
  /// Throws what Shape's constructor throws.
  mesh(std::initializer_list<int> extents) : Shape(Family::mesh, {extents.begin(), extents.size()}) {}
};
/// A torus, given as a mesh is.
struct torus : Shape {
  torus() : Shape(Family::torus) {}
  /// Throws what Shape's constructor throws.
  torus(std::initializer_list<int> extents) : Shape(Family::torus, {extents.begin(), extents.size()}) {}
};
/// A hypercube.
struct hypercube : Shape {
  hypercube() : Shape(Family::hypercube) {}
};
/// A balanced binary tree with the nodes at its leaves.
struct tree : Shape {
  tree() : Shape(Family::tree) {}
};
/// A fully connected topology.
struct full : Shape {
  full() : Shape(Family::full) {}
};

}  // namespace shapes
}  // namespace vnode
#pragma GCC visibility pop
