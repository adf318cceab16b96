#pragma once

#include <charconv>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <string>

#include "options/command.hpp"

namespace vnode {

/// The whole numbers that an option takes, both ends included.
struct Bounds {
  int least = 0;
  int most = std::numeric_limits<int>::max();
};

/// Adds an option that takes a whole number and gives it to `store`.
inline Option add_number(Command app, const std::string& option, Bounds bounds,
                         const std::function<void(int)>& store, const std::string& description) {
  const auto parse = [=](const std::string& text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number < bounds.least ||
        number > bounds.most)
      refuse_value(option, fmt::format("expected a whole number from {} to {}, not \"{}\"", bounds.least,
                                       bounds.most, text));
    store(number);
  };
  return app.option(option, parse, description);
}

}  // namespace vnode
