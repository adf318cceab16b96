#include "settings/environment.hpp"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/mapping_policy.hpp>

#include "watch/statistics_output.hpp"

namespace vnode {
namespace {

template <class Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr Named<ChannelEngine> channel_engines[] = {{"line", ChannelEngine::line},
                                                    {"boost", ChannelEngine::boost}};
constexpr Named<bool> switches[] = {{"on", true},  {"off", false}, {"1", true},    {"0", false},
                                    {"yes", true}, {"no", false},  {"true", true}, {"false", false}};

/// Returns the values with the names that enums::name() has for them, and one more.
template <class Option, class Value>
std::vector<Named<Option>> named(std::span<const Value> values,
                                 std::initializer_list<Named<Option>> more = {}) {
  std::vector<Named<Option>> list;
  for (const Value value : values) list.push_back({enums::name(value), value});
  list.insert(list.end(), more);
  return list;
}

class Environment {
 public:
  explicit Environment(Settings& settings) : settings_(settings) {}

  std::optional<std::string_view> text(const char* variable) {
    const char* value = std::getenv(variable);
    if (value == nullptr) return {};
    settings_.overrides.push_back(fmt::format("{}={}", variable, value));
    return value;
  }

  /// Sets `value` to the choice that the variable names, if it is set. `choices` are Named values. Throws
  /// UsageError if it names none.
  template <class Value, class Choices>
  void choose(const char* variable, const Choices& choices, Value& value) {
    const auto given = text(variable);
    if (!given) return;
    std::string names;
    for (const auto& choice : choices) {
      if (choice.name == *given) {
        value = choice.value;
        return;
      }
      names += fmt::format("{}{}", names.empty() ? "" : ", ", choice.name);
    }
    throw UsageError(fmt::format("{}={}: it may be one of {}", variable, *given, names));
  }

 private:
  Settings& settings_;
};

constexpr Named<std::chrono::nanoseconds> time_units[] = {{"us", std::chrono::microseconds(1)},
                                                          {"ms", std::chrono::milliseconds(1)},
                                                          {"s", std::chrono::seconds(1)},
                                                          {"min", std::chrono::minutes(1)},
                                                          {"h", std::chrono::hours(1)}};

/// Returns the duration that the text gives: "100ms", "2s" or "0". Returns nothing if the text is no
/// duration, which has a unit unless it is 0, or one that is too long to be counted.
std::optional<std::chrono::nanoseconds> duration(std::string_view text) {
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return {};
  if (number == 0 && end == text.data() + text.size()) return std::chrono::nanoseconds(0);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const auto& [name, length] : time_units)
    if (name == unit && number <= std::chrono::nanoseconds::max() / length) return number * length;
  return {};
}

/// Tells whether TeamOptions::share may have this value.
bool is_share(std::string_view share) {
  return share == share_in_process || share == "host" || share.starts_with('/');
}
constexpr std::string_view may_be_share = "it may be process, host, or a folder, as an absolute path";

/// Returns the mapping. Throws UsageError if TeamOptions::mapping may not have this value.
std::string checked_mapping(std::string_view mapping) try {
  check_mapping_text(mapping);
  return std::string(mapping);
} catch (const UsageError& error) {
  throw UsageError(fmt::format("VNODE_MAPPING: {}", error.what()));
}

}  // namespace

Settings settings_from_environment(const TeamOptions& options) {
  Settings settings{options, {}};
  Environment environment(settings);
  environment.choose("VNODE_WAIT", named<Wait>(waits(), {{"automatic", Wait::automatic}}),
                     settings.options.wait);
  if (const auto spin = environment.text("VNODE_SPIN")) {
    settings.options.spin = *spin == "forever" ? std::chrono::nanoseconds::max() : duration(*spin);
    if (!settings.options.spin)
      throw UsageError(fmt::format(
          "VNODE_SPIN={}: it may be a time with its unit, such as 100us, 1ms or 2s; 0 parks at once, "
          "forever never",
          *spin));
  }
  if (settings.options.spin && settings.options.spin->count() < 0)
    throw UsageError(
        fmt::format("TeamOptions::spin is negative, {} ns: it may be a time, or 0 to park at once",
                    settings.options.spin->count()));
  if (!settings.options.nodes)
    environment.choose("VNODE_NODES", named<std::optional<Nodes>>(all_nodes()), settings.options.nodes);
  environment.choose("VNODE_CHANNEL", channel_engines, settings.options.channel);
  environment.choose("VNODE_PIN", switches, settings.options.pin);
  if (!settings.options.pin) settings.options.pin = settings.options.threads == Threads::own;
  if (const auto given = environment.text("VNODE_MAPPING")) {
    const std::string mapping = checked_mapping(*given);
    if (settings.options.pus.empty()) settings.options.mapping = mapping;
  }
  if (const auto share = environment.text("VNODE_SHARE")) {
    if (!is_share(*share)) throw UsageError(fmt::format("VNODE_SHARE={}: {}", *share, may_be_share));
    settings.options.share = *share;
  }
  if (!is_share(settings.options.share))
    throw UsageError(fmt::format("TeamOptions::share is \"{}\": {}", settings.options.share, may_be_share));
  environment.choose("VNODE_CHECKED", switches, settings.options.checked);
  if (const auto file = environment.text("VNODE_STATS")) {
    settings.options.statistics = true;
    settings.statistics_path = statistics_path(*file);
  }
  if (const auto limit = environment.text("VNODE_TIME_LIMIT")) {
    const auto time = duration(*limit);
    if (!time)
      throw UsageError(fmt::format(
          "VNODE_TIME_LIMIT={}: it may be a time with its unit, such as 500ms, 2s or 5min, of 292 years at "
          "most; 0 for none",
          *limit));
    settings.options.time_limit = *time;
  }
  if (settings.options.time_limit.count() < 0)
    throw UsageError(
        fmt::format("TeamOptions::time_limit is negative, {} ns: it may be a time, or 0 for none",
                    settings.options.time_limit.count()));
  if (settings.options.threads == Threads::callers &&
      (settings.options.apart || settings.options.keep_caller_pinned))
    throw UsageError(
        fmt::format("TeamOptions::{} is about the thread that calls run(): a team of callers has none, its "
                    "threads join()",
                    settings.options.apart ? "apart" : "keep_caller_pinned"));
  constexpr std::size_t least_stack = std::size_t{16} << 10;
  if (settings.options.stack < least_stack)
    throw UsageError(fmt::format("TeamOptions::stack is {} bytes: a fiber needs {} or more",
                                 settings.options.stack, least_stack));
  environment.choose("VNODE_DEADLOCKS", switches, settings.options.deadlocks);
  environment.choose("VNODE_BANKS", named<std::optional<Banks>>(all_banks()), settings.options.banks);
  environment.choose("VNODE_ARENAS",
                     named<std::optional<DomainLevel>>(domain_levels(), {{"off", std::nullopt}}),
                     settings.options.arenas);
  if (const auto algorithms = environment.text("VNODE_ALGORITHM")) settings.options.algorithms = *algorithms;
  if (const auto profile = environment.text("VNODE_PROFILE")) settings.options.profile = *profile;
  for (const NotRead& variable : variables_not_read())
    settings.not_read.push_back(fmt::format("{}={}: {}", variable.name, variable.value, variable.why()));
  return settings;
}

}
