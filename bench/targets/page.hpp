#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace vnode::bench {

/// Figures of another day on a machine of two cores, in OSU's loop, microseconds (docs/measuring.md 8.4): for
/// peers that cannot be run here. They are scaled by what the same machine's limits are now.
struct PageFigure {
  std::string_view operation;
  std::size_t bytes;
  std::optional<double> mpi, thread_mpi;  ///< the best configuration; GROMACS
};

/// What the page has for an operation and size; nothing else.
PageFigure page_figure(std::string_view operation, std::size_t bytes);

/// The page's day: a cache line one way, the middle of what it gives.
inline constexpr double page_line_us = 0.1275;
/// And a copy of what the other core has just written, by one core alone; nothing for other sizes.
std::optional<double> page_copy_us(std::size_t bytes);

}  // namespace vnode::bench
