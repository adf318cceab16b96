#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "campaign/results.hpp"
#include "options/written.hpp"

namespace vnode {

/// Returns what results are of, a line each: the campaign, the machine, what predictions start from, and why
/// nothing is measured, if so.
std::vector<std::string> headings(const Results& results);
/// Returns the results for a person, in lines of `width` letters if that is possible: what all have in
/// common, a line for each, and below why some could not be had, and what the system refused.
std::string results_table(const Results& results, std::size_t width);

/// Returns the line of names, and a line for each result that there is, with what is measured if anything can
/// be.
std::vector<std::vector<std::string>> result_rows(const Results& results);
/// Returns what could not be done, what was not simulated or measured and what the system refused: headings
/// with sentences, each with the first experiment that it is about.
std::vector<std::pair<std::string, std::vector<std::string>>> remarks(const Results& results);

/// Returns "broadcast_mst", or "broadcast_mst (chosen)" where no algorithm was asked for.
std::string algorithm_text(const Experiment& experiment, const Outcome& outcome);
/// Returns "4 of 2.5": S_b streams of the bank that feeds W_b t_w, or the streams alone.
std::string need_text(const BankNeed& need);
/// Returns "96 as asked, 4 elsewhere".
std::string pages_text(const PagesFound& pages);

/// Returns the report in the form that the options ask for. The picture shows the bandwidths as bars, in
/// clusters of what differs in banks only. Throws UsageError if there are no bars, or more than can be read.
/// CSV has one row for each experiment that was tried; times are in microseconds, and what is not known is
/// empty.
std::string results_report(const Results& results, const ReportOptions& options);

}  // namespace vnode
