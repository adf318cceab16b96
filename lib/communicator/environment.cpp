#include "communicator/environment.hpp"

#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/mapping_policy.hpp>

namespace vnode {
namespace {

template <class Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr Named<Wait> waits[] = {
    {"auto", Wait::automatic}, {"spin", Wait::spin}, {"yield", Wait::yield}, {"park", Wait::park}};
constexpr Named<ChannelEngine> engines[] = {{"line", ChannelEngine::line}, {"boost", ChannelEngine::boost}};
constexpr Named<bool> switches[] = {{"on", true}, {"off", false}};

/// What has names elsewhere, by these.
template <class Value>
std::vector<Named<std::optional<Value>>> named(std::span<const Value> values) {
  std::vector<Named<std::optional<Value>>> list;
  for (const Value value : values) list.push_back({name(value), value});
  return list;
}

std::vector<Named<std::optional<DomainLevel>>> arenas() {
  auto list = named(domain_levels());
  list.push_back({"off", std::nullopt});
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

  /// `choices` are Named<Value>.
  template <class Value, class Choices>
  void choose(const char* variable, const Choices& choices, Value& value) {
    const auto given = text(variable);
    if (!given) return;
    std::string names;
    for (const Named<Value>& choice : choices) {
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

/// What TeamOptions::mapping may be.
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
  environment.choose("VNODE_WAIT", waits, settings.options.wait);
  environment.choose("VNODE_CHANNEL", engines, settings.options.channel);
  environment.choose("VNODE_PIN", switches, settings.options.pin);
  if (const auto given = environment.text("VNODE_MAPPING")) {
    const std::string mapping = checked_mapping(*given);
    if (settings.options.pus.empty()) settings.options.mapping = mapping;
  }
  environment.choose("VNODE_CHECKED", switches, settings.options.checked);
  if (const auto limit = environment.text("VNODE_TIME_LIMIT")) {
    long milliseconds = -1;
    const auto [end, error] = std::from_chars(limit->data(), limit->data() + limit->size(), milliseconds);
    if (error != std::errc{} || end != limit->data() + limit->size() || milliseconds < 0)
      throw UsageError(
          fmt::format("VNODE_TIME_LIMIT={}: it may be a number of milliseconds, 0 for none", *limit));
    settings.options.time_limit = std::chrono::milliseconds(milliseconds);
  }
  environment.choose("VNODE_BANKS", named(all_banks()), settings.options.banks);
  environment.choose("VNODE_ARENAS", arenas(), settings.options.arenas);
  if (const auto algorithms = environment.text("VNODE_ALGORITHM")) settings.options.algorithms = *algorithms;
  return settings;
}

}
