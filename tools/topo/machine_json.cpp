#include "topo/machine_json.hpp"

#include <nlohmann/json.hpp>

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

template <class Part>
Json parts_json(const std::vector<Part>& parts) {
  Json array = Json::array();
  for (const Part& part : parts) {
    Json object;
    if constexpr (requires { part.os_index; }) object["os_index"] = part.os_index;
    if constexpr (requires { part.efficiency; }) object["efficiency"] = part.efficiency;
    if constexpr (requires { part.level; }) object["level"] = part.level;
    if constexpr (requires { part.bytes; }) object["bytes"] = part.bytes;
    if constexpr (requires { part.allowed; }) object["allowed"] = part.allowed;
    if constexpr (requires { part.kind; }) object["kind"] = part.kind;
    if constexpr (requires { part.cache_bytes; }) object["cache_bytes"] = part.cache_bytes;
    if constexpr (requires { part.properties; }) {
      object["properties"] = Json::object();
      for (const auto& [name, value] : part.properties) object["properties"][name] = value;
    }
    object["pus"] = part.pus;
    array.push_back(std::move(object));
  }
  return array;
}

Json pus_json(const Machine& machine) {
  Json pus = Json::array();
  for (const Pu& pu : machine.pus)
    pus.push_back({{"os_index", pu.os_index},
                   {"core", pu.core},
                   {"numa", pu.numa},
                   {"package", pu.package},
                   {"allowed", pu.allowed}});
  return pus;
}

Json attributes_json(const Machine& machine) {
  Json attributes = Json::array();
  for (const MemoryAttribute& attribute : machine.memory_attributes) {
    Json values = Json::array();
    for (const MemoryAttribute::Value& value : attribute.values)
      values.push_back({{"numa", value.numa}, {"pus", value.pus}, {"value", value.value}});
    attributes.push_back({{"name", attribute.name},
                          {"unit", attribute.unit},
                          {"higher_is_better", attribute.higher_is_better},
                          {"values", std::move(values)}});
  }
  return attributes;
}

Json matrices_json(const Machine& machine) {
  Json matrices = Json::array();
  for (const DistanceMatrix& matrix : machine.matrices)
    matrices.push_back({{"name", matrix.name},
                        {"type", matrix.type},
                        {"meaning", name(matrix.meaning)},
                        {"by_user", matrix.by_user},
                        {"parts", matrix.parts},
                        {"values", matrix.values}});
  return matrices;
}

}  // namespace

std::string machine_json(const Machine& machine, const NumaDistances& known) {
  const Json json{{"source", machine.source},
                  {"model", machine.model},
                  {"this_system", machine.this_system},
                  {"allowed_cores", machine.allowed_cores()},
                  {"allowed_pus", machine.allowed_pus()},
                  {"offline", machine.offline},
                  {"packages", parts_json(machine.packages)},
                  {"numas", parts_json(machine.numas)},
                  {"groups", parts_json(machine.groups)},
                  {"caches", parts_json(machine.caches)},
                  {"kinds", parts_json(machine.kinds)},
                  {"cores", parts_json(machine.cores)},
                  {"pus", pus_json(machine)},
                  {"memory_attributes", attributes_json(machine)},
                  {"matrices", matrices_json(machine)},
                  {"distances", machine.distances},
                  {"numa_distances", {{"source", name(known.source)}, {"values", known.values}}}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vnode
