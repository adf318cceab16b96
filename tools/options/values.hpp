#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/collective.hpp>

#include "command_line/command.hpp"

namespace vnode {

/// Stands for the numbers from `least` to `most`.
struct ValueBounds {
  std::size_t least = 1;
  std::size_t most = std::size_t{1} << 40;
};

/// Returns what stands between commas, also where it is nothing: "a" and "b" for "a,b".
std::vector<std::string> split(std::string_view text);
/// Returns the collectives of a list of names that are divided by commas, each once; none of "". Throws
/// UsageError.
std::vector<Collective> parse_collectives(std::string_view text);
/// Returns the mappings that an option names: policies divided by commas, of which "all" are all, or one list
/// of PUs, which begins with a digit.
std::vector<std::string> parse_mappings(std::string_view text);

/// Reads numbers: "1K:8M" stands for 1024 and its doubles up to 8 MiB, "3,5,9" for these. K, M and G are
/// powers of 1024. Throws UsageError, which begins with `option`, for anything else, and for a number that is
/// out of bounds or comes twice.
std::vector<std::size_t> parse_values(std::string_view text, const std::string& option,
                                      ValueBounds bounds = {});

/// The longest message that can be asked for: 1024G.
inline constexpr std::size_t most_asked_bytes = std::size_t{1} << 40;

/// Adds --bytes, the size of a message, and gives it to `store`; the help says what is `usual`.
Option add_bytes(const Command& command, const std::function<void(std::size_t)>& store,
                 const std::string& usual = "1K");

}  // namespace vnode
