#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

/// Is a file of its own in the temporary folder, gone with the object.
struct TemporaryFile {
  std::string path;
  explicit TemporaryFile(const std::string& text, const std::string& extension = ".xml")
      : path((std::filesystem::temp_directory_path() /
              ("vnode_machine_test_" + std::to_string(getpid()) + extension))
                 .string()) {
    std::ofstream(path) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
};
