#pragma once

#include <filesystem>
#include <string>

#include <vnode/machine.hpp>

/// The path of tests/machines/NAME.xml.
inline std::string machine_file(const std::string& name) {
  return (std::filesystem::path(__FILE__).parent_path() / "machines" / (name + ".xml")).string();
}
/// The machine that it describes.
inline vnode::Machine machine_of_file(const std::string& name) {
  return vnode::Machine::from_xml(machine_file(name));
}
