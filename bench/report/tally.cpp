#include "report/tally.hpp"

#include <fmt/format.h>

#include "base/counted.hpp"
#include "report/text.hpp"
#include "report/with_bytes.hpp"

namespace vnode::bench {
namespace {

const Row* fastest_peer(const std::vector<Row>& rows) {
  const Row* fastest = nullptr;
  for (const Row& row : rows)
    if (row.by != "vnode" && !row.one_caller && !row.few() &&
        (fastest == nullptr || row.time_us.median < fastest->time_us.median))
      fastest = &row;
  return fastest;
}

}  // namespace

void Tally::Range::add(double quotient, const std::string& where) {
  if (!best || quotient < best->quotient) best = {quotient, where};
  if (!worst || quotient > worst->quotient) worst = {quotient, where};
}

std::string Tally::Range::text(const char* of) const {
  if (!best) return "";
  return fmt::format("; vnode takes {} ({}) to {} ({}) times as long as {}", quotient_text(best->quotient),
                     best->where, quotient_text(worst->quotient), worst->where, of);
}

void Tally::add(const std::vector<Row>& rows) {
  const Row* const peer = fastest_peer(rows);
  rows_ += rows.size();
  for (const Row& row : rows) {
    wrong_ += row.wrong;
    if (row.by != "vnode") continue;
    std::string where = with_bytes(row.collective, row.bytes);
    if (row.requested && *row.requested != "auto") where += fmt::format(" {}", algorithm_text(row));
    if (const auto quotient = row.median_to_limit()) limit_.add(*quotient, where);
    if (peer != nullptr && !row.few()) peers_.add(row.time_us.median / peer->time_us.median, where);
  }
}

std::string Tally::text() const {
  return counted(rows_, "row") + limit_.text("the limit") + peers_.text("the fastest peer") +
         fmt::format("; wrong results: {}", wrong_);
}

}  // namespace vnode::bench
