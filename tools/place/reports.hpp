#pragma once

#include <cstddef>
#include <string>

#include <vnode/model/machine.hpp>

#include "campaign/results.hpp"
#include "measure/bandwidth.hpp"
#include "options/written.hpp"

namespace vnode {

/// Returns the report in the form that the options ask for. The picture shows the bandwidths as bars, in
/// clusters of what differs in banks only. Throws UsageError if there are no bars, or more than can be read.
/// CSV has one row for each experiment that was tried; times are in microseconds, and what is not known is
/// empty.
std::string results_report(const Results& results, const ReportOptions& options);

/// Returns the report in the form that the options ask for: core by bank, then every bank's curve, in 10^9
/// bytes per second, or in JSON in bytes per second. The picture is of the curves as bars; CSV has a row for
/// each bank and core alone and for each bank and number of streams.
std::string matrix_report(const Machine& machine, const BandwidthMatrix& matrix,
                          const ReportOptions& options);
/// Returns how many bars the curves of so many cores and banks have.
std::size_t matrix_bars(std::size_t cores, std::size_t banks);

}  // namespace vnode
