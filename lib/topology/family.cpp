#include <array>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/shape.hpp>

namespace vnode {
namespace {

constexpr std::array every_family{Family::array,     Family::ring, Family::mesh, Family::torus,
                                  Family::hypercube, Family::tree, Family::full};

}  // namespace

std::string_view name(Family family) {
  switch (family) {
    case Family::array:
      return "array";
    case Family::ring:
      return "ring";
    case Family::mesh:
      return "mesh";
    case Family::torus:
      return "torus";
    case Family::hypercube:
      return "hypercube";
    case Family::tree:
      return "tree";
    case Family::full:
      break;
  }
  return "full";
}

std::span<const Family> families() { return every_family; }

Family parse_family(std::string_view text) {
  for (const Family family : every_family)
    if (name(family) == text) return family;
  throw UsageError(fmt::format(
      "there is no topology \"{}\": there are array, ring, mesh, torus, hypercube, tree and full", text));
}

}  // namespace vnode
