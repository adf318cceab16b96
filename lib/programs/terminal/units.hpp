#pragma once

#include <cstddef>
#include <string>

namespace vnode {

/// Returns a time for a person, with four digits: "0.500 ns", "35.00 ns", "1.234 us", "12.35 ms", "2.000 s".
/// 0 is "0".
std::string shown_time(double seconds);
/// Returns a size for a person: "0 B", "512 B", "1 KiB", "1.5 KiB", "8 MiB".
std::string shown_size(std::size_t bytes);
/// Returns the time now, "2026-11-21T19:30:00Z".
std::string utc_now();

}  // namespace vnode
