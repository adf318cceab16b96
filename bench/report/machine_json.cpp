#include "report/machine_json.hpp"

namespace vnode::bench {

nlohmann::ordered_json machine_json(const Station& station) {
  return {{"program", station.program}, {"compiler", station.compiler}, {"system", station.system},
          {"model", station.model},     {"packages", station.packages}, {"numa_nodes", station.numa_nodes},
          {"cores", station.cores},     {"pus", station.pus},           {"cores_used", station.cores_used},
          {"pinning", station.pinning}, {"clock", station.clock},       {"timing", station.timing}};
}

}  // namespace vnode::bench
