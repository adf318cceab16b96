#include <array>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/lab/profile.hpp>

#include "model/pu_places.hpp"

namespace vnode {
namespace {

constexpr std::array<PairClass, pair_class_count> all{PairClass::same_core,    PairClass::same_l2,
                                                      PairClass::same_l3,      PairClass::same_numa,
                                                      PairClass::same_package, PairClass::across_packages};
constexpr std::array<std::string_view, pair_class_count> names{
    "same_core", "same_l2", "same_l3", "same_numa", "same_package", "across_packages"};

}  // namespace

std::span<const PairClass> pair_classes() { return all; }

std::string_view name(PairClass pair_class) { return names[static_cast<std::size_t>(pair_class)]; }

std::vector<PuPlace> pu_places(const Machine& machine) {
  std::vector<PuPlace> places;
  for (const Pu& pu : machine.pus)
    places.push_back({.core = pu.core, .numa = pu.numa, .package = pu.package});
  for (std::size_t i = 0; i < machine.caches.size(); ++i) {
    const Cache& cache = machine.caches[i];
    if (cache.level != 2 && cache.level != 3) continue;
    for (const int pu : cache.pus) {
      PuPlace& place = places[static_cast<std::size_t>(pu)];
      (cache.level == 2 ? place.l2 : place.l3) = static_cast<int>(i);
    }
  }
  return places;
}

PairClass pair_class(const PuPlace& a, const PuPlace& b) {
  if (a.core == b.core) return PairClass::same_core;
  if (a.l2 >= 0 && a.l2 == b.l2) return PairClass::same_l2;
  if (a.l3 >= 0 && a.l3 == b.l3) return PairClass::same_l3;
  if (a.package != b.package) return PairClass::across_packages;
  return a.numa == b.numa ? PairClass::same_numa : PairClass::same_package;
}

PairClass pair_class(const Machine& machine, int a, int b) {
  const int there = static_cast<int>(machine.pus.size());
  for (const int pu : {a, b})
    if (pu < 0 || pu >= there)
      throw UsageError(fmt::format("there is no PU {}: {} has PUs 0 to {}", pu, machine.source, there - 1));
  const std::vector<PuPlace> places = pu_places(machine);
  return pair_class(places[static_cast<std::size_t>(a)], places[static_cast<std::size_t>(b)]);
}

std::vector<ClassExample> class_examples(const Machine& machine) {
  std::array<std::optional<ClassExample>, pair_class_count> first;
  const std::vector<PuPlace> places = pu_places(machine);
  const std::vector<int> pus = machine.allowed_pus();
  for (std::size_t i = 0; i < pus.size(); ++i)
    for (std::size_t j = i + 1; j < pus.size(); ++j) {
      const PairClass found =
          pair_class(places[static_cast<std::size_t>(pus[i])], places[static_cast<std::size_t>(pus[j])]);
      auto& example = first[static_cast<std::size_t>(found)];
      if (!example) example = {found, pus[i], pus[j]};
    }
  std::vector<ClassExample> examples;
  for (const auto& example : first)
    if (example) examples.push_back(*example);
  return examples;
}

}  // namespace vnode
