#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "options/written.hpp"
#include "settings/environment.hpp"
#include "terminal/csv.hpp"
#include "terminal/table.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

struct Shown {
  std::string name;
  std::optional<std::string> value;  // nothing: it is not set
  std::string values, meaning;       // no values: teams do not read it
};

std::vector<Shown> variables() {
  std::vector<Shown> list;
  for (const auto& [name, values, meaning] : environment_variables()) {
    const char* const value = std::getenv(name);
    list.push_back({name, value != nullptr ? std::optional<std::string>(value) : std::nullopt,
                    std::string(values), std::string(meaning)});
  }
  for (const NotRead& variable : variables_not_read())
    list.push_back({variable.name, variable.value, "", variable.why()});
  return list;
}

void print_variables(Format format) {
  auto json = nlohmann::ordered_json::array();
  if (format == Format::csv) fmt::print("variable,value,values,meaning\n");
  for (const auto& [name, value, values, meaning] : variables()) {
    switch (format) {
      case Format::json:
        json.push_back({{"variable", name}, {"value", nullptr}, {"values", values}, {"meaning", meaning}});
        if (value) json.back()["value"] = *value;
        break;
      case Format::csv:
        fmt::print("{}", csv_line({name, value.value_or(""), values, meaning}));
        break;
      case Format::text:
        fmt::print("{}{}\n{}\n", name, value ? fmt::format("={}", *value) : " is not set",
                   folded(fmt::format("    {}{}{}", values, values.empty() ? "" : ": ", meaning),
                          terminal_width(), hanging));
    }
  }
  if (format == Format::json)
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

void add_env(const Command& program) {
  const auto format = std::make_shared<Format>(Format::text);
  const Command command =
      program.command("env", "List the environment variables that teams read, and what they are now");
  add_table_format(command, *format);
  command.examples({{"VNODE_WAIT=park vnode env", "what a program would read"}});
  command.run([format] { print_variables(*format); });
}

}  // namespace vnode
