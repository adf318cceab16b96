#pragma once

#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <string>

#include <vnode/error.hpp>

#include "base/bytes.hpp"
#include "options/command.hpp"

namespace vnode {

/// The longest message that can be asked for: 1024G.
inline constexpr std::size_t most_asked_bytes = std::size_t{1} << 40;

/// Adds --bytes, the size of a message, and gives it to `store`; the help says what is `usual`.
inline Option add_bytes(Command app, const std::function<void(std::size_t)>& store,
                        const std::string& usual = "1K") {
  const auto parse = [=](const std::string& text) {
    const std::size_t bytes = parse_bytes(text, "--bytes");
    if (bytes > most_asked_bytes)
      throw UsageError(fmt::format("--bytes {}: a message has at most 1024G", text));
    store(bytes);
  };
  return app.option("--bytes", parse, fmt::format("m, the size of a message; 64K, 1M (default: {})", usual))
      .type_name("M");
}

/// The same for a variable, which outlives the parsing and holds the default, 1K.
inline Option add_bytes(Command app, std::size_t& bytes) {
  return add_bytes(app, [&bytes](std::size_t value) { bytes = value; });
}

}  // namespace vnode
