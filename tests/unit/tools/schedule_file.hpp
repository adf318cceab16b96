#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

/// Is a file with a schedule that lasts as long as this.
class ScheduleFile {
 public:
  explicit ScheduleFile(const std::string& text, const std::string& ending = {})
      : path_(std::filesystem::temp_directory_path() /
              ("vnode_schedule_" + std::to_string(getpid()) + '_' + std::to_string(++made_) + ending)) {
    std::ofstream(path_) << text;
  }
  ~ScheduleFile() { std::filesystem::remove(path_); }
  ScheduleFile(const ScheduleFile&) = delete;
  ScheduleFile& operator=(const ScheduleFile&) = delete;
  std::string option() const { return " --schedule '" + path_.string() + "' "; }

 private:
  static inline int made_ = 0;
  std::filesystem::path path_;
};
