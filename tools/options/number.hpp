#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <string>

namespace vnode {

/// The whole numbers that an option takes, both ends included.
struct Bounds {
  int least = 0;
  int most = std::numeric_limits<int>::max();
};

/// Adds an option that takes a whole number and gives it to `store`.
inline CLI::Option* add_number(CLI::App& app, const std::string& option, Bounds bounds,
                               const std::function<void(int)>& store, const std::string& description) {
  const auto parse = [=](const std::string& text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number < bounds.least ||
        number > bounds.most)
      throw CLI::ValidationError(option, fmt::format("expected a whole number from {} to {}, not \"{}\"",
                                                     bounds.least, bounds.most, text));
    store(number);
  };
  return app.add_option_function<std::string>(option, parse, description);
}

}  // namespace vnode
