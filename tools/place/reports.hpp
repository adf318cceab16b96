#pragma once

#include <cstddef>
#include <string>

#include <vnode/model/machine.hpp>

#include "campaign/results.hpp"
#include "measure/bandwidth.hpp"
#include "options/written.hpp"

namespace vnode {

/// Returns the report in the form that the options ask for. The picture shows the bandwidths as
/// matrices of mappings by banks, or by algorithms or sizes if all have the same banks. Throws UsageError if
/// there is none.
/// CSV has one row for each experiment that was tried; times are in microseconds, and what is not known is
/// empty.
std::string results_report(const Results& results, const ReportOptions& options);

/// Returns the report in the form that the options ask for: core by bank, then every bank's curve, in 10^9
/// bytes per second, or in JSON in bytes per second. The picture is of streams by bank; CSV has a row for
/// each bank and core alone and for each bank and number of streams.
std::string matrix_report(const Machine& machine, const BandwidthMatrix& matrix,
                          const ReportOptions& options);

}  // namespace vnode
