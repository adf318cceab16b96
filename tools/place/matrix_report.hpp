#pragma once

#include <cstddef>
#include <string>

#include <vnode/model/machine.hpp>

#include "measure/bandwidth.hpp"
#include "options/written.hpp"

namespace vnode {

/// Returns the report in the form that the options ask for: core by bank, then every bank's curve, in 10^9
/// bytes per second, or in JSON in bytes per second. The picture is of the curves as bars; CSV has a row for
/// each bank and core alone and for each bank and number of streams.
std::string matrix_report(const Machine& machine, const BandwidthMatrix& matrix,
                          const ReportOptions& options);
/// Returns how many bars the curves of so many cores and banks have.
std::size_t matrix_bars(std::size_t cores, std::size_t banks);

}  // namespace vnode
