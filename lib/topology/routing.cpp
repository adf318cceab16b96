#include <array>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/topology.hpp>

namespace vnode {
namespace {

constexpr std::array only_way{Routing::shortest};
constexpr std::array dimension_orders{Routing::xy, Routing::yx};
constexpr std::array bit_orders{Routing::ecube, Routing::ecube_high};
constexpr std::array by_switches{Routing::tree};

constexpr std::array known_routings{Routing::shortest, Routing::xy,         Routing::yx,
                                    Routing::ecube,    Routing::ecube_high, Routing::tree};

}  // namespace

std::string_view name(Routing routing) {
  switch (routing) {
    case Routing::shortest:
      return "shortest";
    case Routing::xy:
      return "xy";
    case Routing::yx:
      return "yx";
    case Routing::ecube:
      return "ecube";
    case Routing::ecube_high:
      return "ecube_high";
    case Routing::tree:
      break;
  }
  return "tree";
}

std::span<const Routing> routings(Family family) {
  switch (family) {
    case Family::mesh:
    case Family::torus:
      return dimension_orders;
    case Family::hypercube:
      return bit_orders;
    case Family::tree:
      return by_switches;
    case Family::array:
    case Family::ring:
    case Family::full:
      break;
  }
  return only_way;
}

Routing parse_routing(std::string_view text) {
  for (const Routing routing : known_routings)
    if (name(routing) == text) return routing;
  throw UsageError(fmt::format(
      "there is no routing \"{}\": there are shortest, xy, yx, ecube, ecube_high and tree", text));
}

}  // namespace vnode
