#pragma once

#include <string>

#include <vnode/model/machine.hpp>

#include "repository.hpp"

/// Returns the path of tests/machines/NAME.xml.
inline std::string machine_file(const std::string& name) {
  return (repository() / "tests/machines" / (name + ".xml")).string();
}
/// Returns the machine that it describes.
inline vnode::Machine machine_of_file(const std::string& name) {
  return vnode::Machine::from_xml(machine_file(name));
}
