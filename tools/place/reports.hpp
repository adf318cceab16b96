#pragma once

#include <cstddef>
#include <string>

#include <vnode/lab/charts.hpp>
#include <vnode/model/machine.hpp>

#include "campaign/results.hpp"
#include "measure/bandwidth.hpp"
#include "options/written.hpp"

namespace vnode {

/// Tells whether the outcome is a prediction in which a node's ports work at the same time.
bool for_all_ports(const Outcome& outcome);
/// Returns the bandwidths as matrices: rows and columns are the first two of mappings, banks, algorithms and
/// sizes in which experiments differ.
MatrixChart chart_of(const Results& results);

/// Returns the report in the form that the options ask for. The picture is chart_of(). CSV has one row for
/// each experiment that was tried; times are in microseconds, and what is not known is empty.
std::string results_report(const Results& results, const ReportOptions& options);

/// Returns the report in the form that the options ask for: core by bank, then every bank's curve, in 10^9
/// bytes per second, or in JSON in bytes per second. The picture is of streams by bank; CSV has a row for
/// each bank and core alone and for each bank and number of streams.
std::string matrix_report(const Machine& machine, const BandwidthMatrix& matrix,
                          const ReportOptions& options);

}  // namespace vnode
