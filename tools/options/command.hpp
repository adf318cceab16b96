#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vnode {

/// What a command of the program is asked for, read by CLI11. Command and Option stand for objects of
/// CLI11's, which live as long as the program's; CLI11 itself takes a compiler many seconds and is seen by
/// two files only.

/// An option of a command.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  /// What the help calls the value.
  Option type_name(const std::string& name) const;
  Option required() const;
  /// Refuses the option beside another one, "--ts", which the command has already.
  Option excludes(const std::string& other) const;
  /// Refuses the option without that one.
  Option needs(const std::string& other) const;

 private:
  CLI::Option* option_;
};

/// A command of the program, or the program.
class Command {
 public:
  using Store = std::function<void(const std::string&)>;

  explicit Command(CLI::App& app) : app_(&app) {}

  /// Adds a command under this one, which does `run` if it is the one asked for, after its options were read.
  Command command(const std::string& name, const std::string& description) const;
  void run(std::function<void()> run) const;

  /// Adds an option with one value, "--nodes", or without the dashes an argument by its place. Whatever is
  /// stored into outlives the reading.
  Option option(const std::string& name, const Store& store, const std::string& description) const;
  Option option(const std::string& name, std::string& value, const std::string& description) const;
  Option option(const std::string& name, std::optional<std::string>& value,
                const std::string& description) const;
  /// The same for one that can be given several times, with one value each.
  Option option(const std::string& name, std::vector<std::string>& values,
                const std::string& description) const;
  Option flag(const std::string& name, bool& given, const std::string& description) const;

 private:
  CLI::App* app_;
};

/// To be called by a Store: the option's value is wrong, and why. Whoever reads the message is also told
/// where the help is.
[[noreturn]] void refuse_value(const std::string& option, const std::string& why);

}  // namespace vnode
