#include "terminal/units.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace vnode {

std::string shown_time(double seconds) {
  static constexpr std::array units{"ns", "us", "ms", "s"};
  if (seconds == 0) return "0";
  double number = seconds * 1e9;
  std::size_t unit = 0;
  for (; std::abs(number) >= 999.95 && unit + 1 < units.size(); ++unit) number /= 1000;
  const double size = std::abs(number);
  const int decimals = size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", number, decimals, units[unit]);
}

std::string shown_size(std::size_t bytes) {
  static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto number = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; number >= 1024; ++unit) number /= 1024;
  return fmt::format("{:.4g} {}", number, units[unit]);
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

}  // namespace vnode
