#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "given_machine.hpp"

/// Describes what a run of the program `vnode` did.
struct Ran {
  int status = -1;     ///< its exit status, -1 if a signal ended it
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// Runs `vnode ARGUMENTS` in a shell, which may redirect or pipe its output.
Ran run(const std::string& arguments);

/// Returns what `vnode ARGUMENTS --format json` writes; the test fails if its status is not 0 or it is no
/// JSON.
nlohmann::ordered_json json_of(const std::string& arguments);

/// The lines of a table in CSV, as RFC 4180 has it, their fields by the names in its first line.
using CsvRow = std::map<std::string, std::string>;
/// Returns what `vnode ARGUMENTS --format csv` writes; the test fails if its status is not 0, or a line has
/// more or fewer fields than there are names.
std::vector<CsvRow> csv_of(const std::string& arguments);

/// Checks that `vnode ARGUMENTS` ends with status 2 and one sentence on standard error in which `expected`
/// stands.
void check_refused(const std::string& arguments, const std::string& expected);

/// Returns the keys of an object, in order.
std::vector<std::string> keys(const nlohmann::ordered_json& object);

using vnode_test::Variable;
