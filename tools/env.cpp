#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.hpp"
#include "communicator/environment.hpp"
#include "options/written.hpp"
#include "terminal/csv.hpp"
#include "terminal/table.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

void print_variables(Format format) {
  auto json = nlohmann::ordered_json::array();
  if (format == Format::csv) fmt::print("variable,value,values,meaning\n");
  for (const auto& [name, values, meaning] : environment_variables) {
    const char* const value = std::getenv(name);
    switch (format) {
      case Format::json:
        json.push_back({{"variable", name}, {"value", nullptr}, {"values", values}, {"meaning", meaning}});
        if (value != nullptr) json.back()["value"] = value;
        break;
      case Format::csv:
        fmt::print(
            "{}", csv_line({name, value != nullptr ? value : "", std::string(values), std::string(meaning)}));
        break;
      case Format::text:
        fmt::print("{}{}\n{}\n", name, value != nullptr ? fmt::format("={}", value) : " is not set",
                   folded(fmt::format("    {}: {}", values, meaning), terminal_width(), hanging));
    }
  }
  if (format == Format::json) fmt::print("{}\n", json.dump(2));
}

}  // namespace

void add_env(const Command& program) {
  const auto format = std::make_shared<Format>(Format::text);
  const Command command =
      program.command("env", "List the environment variables that teams read, and what they are now");
  add_table_format(command, *format);
  command.run([format] { print_variables(*format); });
}

}  // namespace vnode
