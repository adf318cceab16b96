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

/// Names the kinds of topology.
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

/// A topology has at most so many nodes.
inline constexpr int max_nodes = 1 << 20;
/// A full topology has at most so many nodes: its p (p - 1) directed links are numbered by int.
inline constexpr int max_full_nodes = 1 << 15;
/// A topology has at most so many dimensions, and a mesh or torus so many extents.
inline constexpr int max_dimensions = 20;

/// Represents a topology without its number of nodes: a family and, for a mesh or torus, optional extents. As
/// text: ring, array, mesh, mesh:4x4, torus:2x3x4, hypercube, tree, full. Copies are cheap.
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

/// Describes a linear array. Families are types so that Team{8, shapes::array{}} reads well.
struct array : Shape {
  array() : Shape(Family::array) {}
};
/// Describes a ring.
struct ring : Shape {
  ring() : Shape(Family::ring) {}
};
/// Describes a mesh: mesh{4, 4} with the slowest extent first, or mesh{}, the squarest factorisation of p in
/// two dimensions.
struct mesh : Shape {
  mesh() : Shape(Family::mesh) {}
  /// Throws what Shape's constructor throws.
  mesh(std::initializer_list<int> extents) : Shape(Family::mesh, {extents.begin(), extents.size()}) {}
};
/// Describes a torus, given as a mesh is.
struct torus : Shape {
  torus() : Shape(Family::torus) {}
  /// Throws what Shape's constructor throws.
  torus(std::initializer_list<int> extents) : Shape(Family::torus, {extents.begin(), extents.size()}) {}
};
/// Describes a hypercube.
struct hypercube : Shape {
  hypercube() : Shape(Family::hypercube) {}
};
/// Describes a balanced binary tree with the nodes at its leaves.
struct tree : Shape {
  tree() : Shape(Family::tree) {}
};
/// Describes a fully connected topology.
struct full : Shape {
  full() : Shape(Family::full) {}
};

}  // namespace shapes
}  // namespace vnode
#pragma GCC visibility pop
