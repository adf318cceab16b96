#pragma once

#include "cost/cost_account.hpp"

namespace vnode {

/// What `vnode cost` writes.
enum class CostFormat { text, json, csv, latex };

/// One algorithm; in CSV without its cut-offs.
void report(const CostQuestion& question, const Algorithm& algorithm, CostFormat format);
/// All of a collective, the cheapest first, and where the cheapest changes, which CSV leaves out.
void report(const CostQuestion& question, CostFormat format);

}  // namespace vnode
