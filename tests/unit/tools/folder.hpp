#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <unistd.h>

/// Is an empty folder of its own in which `vnode` looks for its profiles while the object lives.
class ConfigFolder {
 public:
  ConfigFolder()
      : path_(std::filesystem::temp_directory_path() / ("vnode-config-" + std::to_string(getpid()))) {
    if (const char* const value = std::getenv("XDG_CONFIG_HOME")) before_ = value;
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    setenv("XDG_CONFIG_HOME", path_.c_str(), 1);
  }
  ~ConfigFolder() {
    if (before_)
      setenv("XDG_CONFIG_HOME", before_->c_str(), 1);
    else
      unsetenv("XDG_CONFIG_HOME");
    std::filesystem::remove_all(path_);
  }
  ConfigFolder(const ConfigFolder&) = delete;
  ConfigFolder& operator=(const ConfigFolder&) = delete;

  std::string path(const std::string& file) const { return (path_ / file).string(); }

 private:
  std::optional<std::string> before_;
  std::filesystem::path path_;
};
