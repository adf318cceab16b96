#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vnode {

/// The command lines of the programs, read by CLI11. Option, Command and Program stand for objects of
/// CLI11's, which live as long as the Program; CLI11 itself takes a compiler many seconds and is seen by
/// command.cpp alone.

/// Stands for an option of a command.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  /// Says what the help calls the value.
  Option type_name(const std::string& name) const;
  /// Says what the help shows as the default.
  Option usual(const std::string& text) const;
  Option required() const;
  /// Refuses the option beside another one, "--ts", which the command has already.
  Option excludes(const std::string& other) const;
  /// Refuses the option without that one.
  Option needs(const std::string& other) const;

 private:
  CLI::Option* option_;
};

/// Holds the bounds of the numbers that an option takes, both ends included.
template <class Number>
struct Range {
  Number least = 0;
  Number most = std::numeric_limits<Number>::max();
};

/// Lists the words that an option takes, and what each stands for.
template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// Returns what puts an option's value into a variable, which outlives the reading.
template <class Variable>
auto into(Variable& variable) {
  return [&variable](const auto& value) { variable = value; };
}

/// Is called by what stores an option's text. Throws an error that says that the value is wrong, and why;
/// whoever reads it is also told where the help is.
[[noreturn]] void refuse_value(const std::string& option, const std::string& why);

/// Stands for a command of the program, or the program. A name is "--nodes", "-n,--nodes", or without dashes
/// that of an argument by its place. Whatever is stored into outlives the reading.
class Command {
 public:
  template <class Value>
  using Store = std::function<void(const Value&)>;

  explicit Command(CLI::App& app) : app_(&app) {}

  /// Adds a command under this one, which does `run` if it is the one asked for, after its options were read.
  Command command(const std::string& name, const std::string& description) const;
  void run(std::function<void()> run) const;

  /// Returns the same command; what is added by way of it, options and commands, stands below `heading` in
  /// the help, and otherwise below "Options" and "Commands".
  Command group(std::string heading) const;
  /// Ends the help with calls to try, in this order, each with what it does.
  void examples(const std::vector<std::pair<std::string, std::string>>& calls) const;

  /// Adds an option with one value.
  Option option(const std::string& name, const Store<std::string>& store,
                const std::string& description) const;
  /// Adds one that can be given several times, with one value each, or an argument of several words.
  Option list(const std::string& name, std::vector<std::string>& values,
              const std::string& description) const;
  Option flag(const std::string& name, bool& given, const std::string& description) const;
  /// Adds one whose value is a whole number.
  template <class Number>
  Option whole(const std::string& name, Range<Number> range, const Store<Number>& store,
               const std::string& description) const;
  Option whole(const std::string& name, Range<int> range, const Store<int>& store,
               const std::string& description) const {
    return whole<int>(name, range, store, description);
  }
  /// Adds one whose value is a number.
  Option decimal(const std::string& name, Range<double> range, const Store<double>& store,
                 const std::string& description) const;
  /// Adds one whose value is one of several words.
  template <class Value>
  Option choice(const std::string& name, const std::type_identity_t<Choices<Value>>& choices,
                const Store<Value>& store, const std::string& description) const {
    std::vector<std::string> words;
    for (const auto& [word, value] : choices) words.push_back(word);
    return one_of(
        name, words, [=](std::size_t i) { store(choices[i].second); }, description);
  }
  /// Adds one that sets a variable, which holds the default; the help tells which word that is.
  template <class Value>
  Option choice(const std::string& name, const std::type_identity_t<Choices<Value>>& choices, Value& value,
                const std::string& description) const {
    std::string usual;
    for (const auto& [word, meaning] : choices)
      if (meaning == value) usual = word;
    return choice<Value>(name, choices, into(value), description + " (default: " + usual + ")");
  }

 protected:
  CLI::App& app() const { return *app_; }

 private:
  Option one_of(const std::string& name, const std::vector<std::string>& words,
                const std::function<void(std::size_t)>& store, const std::string& description) const;

  Option in_group(CLI::Option& option) const;

  CLI::App* app_;
  std::string group_;
};

/// Holds what is printed instead of doing anything: the help, or the version.
struct Answer {
  std::string text;
};

/// Holds a program with its commands and options.
class CommandLine : public Command {
 public:
  CommandLine(const std::string& name, const std::string& description);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Lets options of the program stand behind the name of a command, too, of which there is one at most.
  void options_anywhere() const;
  /// Reads the arguments, without the program's name, stores what they say and runs the command. Throws
  /// UsageError, which says where the help is, for what cannot be meant, and Answer for --help, --version and
  /// `help [COMMAND]`.
  void read(std::vector<std::string> arguments) const;

  /// Returns the commands: "topo, algorithms or verify".
  std::string commands() const;
  /// Returns the name of the command that was asked for, or "" if none was.
  std::string command_asked() const;
  /// Holds an option that was given.
  struct Given {
    std::vector<std::string> names;  ///< the long ones, without dashes; empty: an argument by its place
    std::string value;               ///< the first
  };
  std::vector<Given> given() const;

 private:
  explicit CommandLine(std::unique_ptr<CLI::App> app);
  std::unique_ptr<CLI::App> owned_;
};

}  // namespace vnode
