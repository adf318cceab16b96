#pragma once

#include <vnode/collective.hpp>

namespace vnode {

/// What a row of the register states where everything that is computed follows from other algorithms: names,
/// needs, and how the formulas are written. The fields are Algorithm's, and are explained there.
struct Stated {
  std::string_view name;
  Collective collective;
  std::string_view rounds = {}, transfers = {}, time = {};
  std::span<const Symbol> symbols = {};
  Ports ports = Ports::single;
  std::span<const Need> needs = {};
  bool dimension_order = false, segments = false, radix = false;
  KeepsOrder keeps_order = KeepsOrder::always;
  std::span<const Carrier> carriers = {};
  int sweep_to = usual_sweep;
  std::string_view best_for, source;
};

/// The row of an algorithm that `Promised` builds and makes all promises of: ReductionAlong<broadcast_mst>
/// (of reduction.hpp), Dual<broadcast_esbt> (of composition.hpp).
template <class Promised>
constexpr Algorithm row_of(const Stated& stated) {
  return {
      .name = stated.name,
      .collective = stated.collective,
      .build = Promised::build,
      .cost = Promised::cost,
      .rounds = {stated.rounds, Promised::rounds},
      .transfers = {stated.transfers, Promised::transfers},
      .time = stated.time,
      .symbols = stated.symbols,
      .peers = Promised::peers,
      .ports = stated.ports,
      .needs = stated.needs,
      .dimension_order = stated.dimension_order,
      .segments = stated.segments,
      .radix = stated.radix,
      .keeps_order = stated.keeps_order,
      .carriers = stated.carriers,
      .sweep_to = stated.sweep_to,
      .best_for = stated.best_for,
      .source = stated.source,
  };
}

}  // namespace vnode
