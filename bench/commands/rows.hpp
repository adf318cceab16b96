#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "options/options.hpp"
#include "questions/register.hpp"
#include "report/report.hpp"
#include "timing/contest.hpp"

namespace vnode::bench {

/// Returns a report in the form that the options ask for.
std::unique_ptr<Report> report_for(const Options& options, std::ostream& out, const Station& station);

/// Returns one row for each contestant and each peer of a measured question.
std::vector<Row> rows(const Options& options, const Operation& operation, const Setting& setting,
                      const std::string& topology, const Question& question, const Timings& outcome);

/// Returns for each contestant the row with the largest median, where the same question was asked for several
/// roots.
std::vector<Row> worst(const std::vector<std::vector<Row>>& of_roots);

/// Returns the median over the laps of time / limit, where both are medians of the same lap. Returns nothing
/// where there is no limit, or where fewer than `least` laps have both.
std::optional<double> ratio(const std::vector<double>& medians, const std::vector<double>& limit,
                            std::size_t least = 1);

}  // namespace vnode::bench
