#include "terminal/width.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace vnode {
namespace {

constexpr std::size_t least = 40, usual = 100;

}  // namespace

std::size_t terminal_width(int descriptor) {
  if (const char* const asked = std::getenv("COLUMNS")) {
    const std::string_view text = asked;
    std::size_t columns = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
    if (error == std::errc{} && end == text.data() + text.size() && columns >= least) return columns;
  }
  winsize size{};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= least;
  return known ? size.ws_col : usual;
}

}  // namespace vnode
