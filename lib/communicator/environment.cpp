#include "communicator/environment.hpp"

#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <string_view>

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
constexpr Named<std::optional<DomainLevel>> arenas[] = {{"l3", DomainLevel::l3},
                                                        {"numa", DomainLevel::numa},
                                                        {"package", DomainLevel::package},
                                                        {"off", std::nullopt}};
constexpr Named<bool> switches[] = {{"on", true}, {"off", false}};

class Environment {
 public:
  explicit Environment(Settings& settings) : settings_(settings) {}

  std::optional<std::string_view> text(const char* variable) {
    const char* value = std::getenv(variable);
    if (value == nullptr) return {};
    settings_.overrides.push_back(fmt::format("{}={}", variable, value));
    return value;
  }

  template <class Value, std::size_t N>
  void choose(const char* variable, const Named<Value> (&choices)[N], Value& value) {
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

/// A policy's name or, not looked at any closer, a list of PUs.
std::string check_mapping_name(std::string_view mapping) {
  std::string names;
  for (const MappingPolicy& policy : mapping_policies()) {
    if (policy.name == mapping) return std::string(mapping);
    names += fmt::format("{}, ", policy.name);
  }
  if (!mapping.empty() && mapping.find_first_not_of("0123456789,-") == mapping.npos)
    return std::string(mapping);
  throw UsageError(
      fmt::format("VNODE_MAPPING={}: it may be one of {}or a list of PUs as 0,2,8-11", mapping, names));
}

}

Settings settings_from_environment(const TeamOptions& options) {
  Settings settings{options, {}};
  Environment environment(settings);
  environment.choose("VNODE_WAIT", waits, settings.options.wait);
  environment.choose("VNODE_CHANNEL", engines, settings.options.channel);
  environment.choose("VNODE_PIN", switches, settings.options.pin);
  if (const auto mapping = environment.text("VNODE_MAPPING"))
    if (settings.options.pus.empty()) settings.options.mapping = check_mapping_name(*mapping);
  environment.choose("VNODE_CHECKED", switches, settings.options.checked);
  if (const auto limit = environment.text("VNODE_TIME_LIMIT")) {
    long milliseconds = -1;
    const auto [end, error] = std::from_chars(limit->data(), limit->data() + limit->size(), milliseconds);
    if (error != std::errc{} || end != limit->data() + limit->size() || milliseconds < 0)
      throw UsageError(
          fmt::format("VNODE_TIME_LIMIT={}: it may be a number of milliseconds, 0 for none", *limit));
    settings.options.time_limit = std::chrono::milliseconds(milliseconds);
  }
  if (const auto banks = environment.text("VNODE_BANKS")) try {
      settings.options.banks = parse_banks(*banks);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("VNODE_BANKS: {}", error.what()));
    }
  environment.choose("VNODE_ARENAS", arenas, settings.options.arenas);
  if (const auto algorithms = environment.text("VNODE_ALGORITHM")) settings.options.algorithms = *algorithms;
  return settings;
}

}
