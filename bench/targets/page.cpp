#include "targets/page.hpp"

#include <algorithm>
#include <iterator>

namespace vnode::bench {
namespace {

constexpr std::size_t kib = 1024, mib = kib * kib;
constexpr std::size_t sizes[]{8, kib, 64 * kib, mib, 8 * mib};
constexpr double none = 0;

struct Line {
  std::string_view operation;
  double mpi[std::size(sizes)], thread_mpi[std::size(sizes)];
};

constexpr Line lines[]{
    {"broadcast", {.20, .36, 5.7, 93, 1001}, {.45, .42, 2.35, 55, 905}},
    {"reduce", {.35, .48, 7.7, 159, 1702}, {.33, .33, 2.96, 106, 1368}},
    {"all_reduce", {.56, .87, 17.4, 301, 3922}, {.80, .94, 10.4, 201, 2814}},
    {"all_gather", {.35, .96, 11.9, 229, 4337}, {none, none, none, none, none}},
    {"all_to_all", {.55, 1.03, 10.2, 223, 4311}, {.80, .80, 6.25, 167, 3501}},
    {"scatter", {.21, .70, 7.3, 138, 2302}, {.45, .42, 2.5, 57, 1361}},
    {"gather", {.33, .65, 8.8, 163, 2443}, {.47, .48, 5.0, 151, 3169}},
    {"reduce_scatter", {.49, 1.07, 12.4, 177, 2473}, {none, none, none, none, none}},
    {"scan", {.13, .82, 14.5, 259, 3572}, {.32, .31, 4.9, 144, 3078}},
};

std::optional<double> figure(double us) { return us > none ? std::optional{us} : std::nullopt; }

}  // namespace

PageFigure page_figure(std::string_view operation, std::size_t bytes) {
  const auto line = std::ranges::find(lines, operation, &Line::operation);
  const auto size = std::ranges::find(sizes, bytes);
  if (line == std::end(lines) || size == std::end(sizes)) return {operation, bytes, {}, {}};
  const auto column = static_cast<std::size_t>(size - std::begin(sizes));
  return {operation, bytes, figure(line->mpi[column]), figure(line->thread_mpi[column])};
}

std::optional<double> page_copy_us(std::size_t bytes) {
  if (bytes == 64 * kib) return 5.4;
  if (bytes == mib) return 91;
  if (bytes == 8 * mib) return 1180;
  return std::nullopt;
}

}  // namespace vnode::bench
