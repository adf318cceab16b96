#include "command_line/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <string_view>

#include <vnode/error.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/version.hpp>

#include "base/nearest.hpp"

namespace vnode {
namespace {

/// Returns "a, b or c".
std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : &word == &words.back() ? " or " : ", ") + word;
  return text;
}

/// Returns the last of an option's names, by which it is refused: "--nodes" of "-n,--nodes".
std::string last_name(const std::string& names) { return names.substr(names.rfind(',') + 1); }

template <class Number>
Number parsed(const std::string& names, const std::string& text, Range<Number> range) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() ||
      !(number >= range.least && number <= range.most)) {
    const std::string_view list = text.find(',') != text.npos ? ": one, no list" : "";
    refuse_value(last_name(names), std::is_integral_v<Number>
                                       ? fmt::format("expected a whole number from {} to {}, not \"{}\"{}",
                                                     range.least, range.most, text, list)
                                       : fmt::format("expected a number from {:g} to {:g}, not \"{}\"{}",
                                                     static_cast<double>(range.least),
                                                     static_cast<double>(range.most), text, list));
  }
  return number;
}

/// Returns a sentence for an option, "--node=8", that neither the program nor its command has.
std::string unknown_option(const CLI::App& app, const std::string& given) {
  std::vector<std::string> names;
  const auto add = [&](const CLI::App& of) {
    for (const CLI::Option* const option : of.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  };
  for (const CLI::App* const command : app.get_subcommands()) add(*command);
  add(app);
  const std::string name = given.substr(0, given.find('='));
  // What launchers of MPI and other benchmarks call it.
  static const std::map<std::string, std::string, std::less<>> elsewhere{
      {"--np", "--nodes"},    {"-np", "--nodes"},       {"-p", "--nodes"},         {"--procs", "--nodes"},
      {"--ranks", "--nodes"}, {"--threads", "--nodes"}, {"--size", "--bytes"},     {"--sizes", "--bytes"},
      {"--out", "--output"},  {"-o", "--output"},       {"--bind-to", "--mapping"}};
  if (const auto usual = elsewhere.find(name);
      usual != elsewhere.end() && std::ranges::find(names, usual->second) != names.end())
    return fmt::format("there is no option {}: did you mean {}?", name, usual->second);
  // Where other commands have it, it is that option which is meant.
  std::vector<std::string> others;
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (name.starts_with("--") && command->get_option_no_throw(name) != nullptr)
      others.push_back(command->get_name());
  if (!others.empty())
    return fmt::format("there is no option {} here: {} {} it", name, fmt::join(others, ", "),
                       others.size() == 1 ? "has" : "have");
  const std::vector<std::string_view> views(names.begin(), names.end());
  return fmt::format("there is no option {}: did you mean {}?", name,
                     fmt::join(nearest_names(name, views), ", "));
}

/// Returns " (did you mean draw?)", or nothing where no command is near.
std::string near_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view meant = views.empty() ? "" : nearest_names(word, views).front();
  return edit_distance(word, meant) <= 2 ? fmt::format(" (did you mean {}?)", meant) : "";
}

std::string called(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* command : app.get_subcommands()) name += ' ' + command->get_name();
  return name;
}

/// Writes the help: what is asked for by all commands stands last, and what an option needs or excludes its
/// description says.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "COMMAND");
    label("OPTIONS", "OPTION...");
  }
  std::string make_group(std::string group, bool positional,
                         std::vector<const CLI::Option*> options) const override {
    std::stable_partition(options.begin(), options.end(), [](const CLI::Option* option) {
      return !option->check_name("--help") && !option->check_name("--version");
    });
    return CLI::Formatter::make_group(std::move(group), positional, std::move(options));
  }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    return CLI::detail::find_and_replace(CLI::Formatter::make_help(app, std::move(name), mode), "\n\n\n",
                                         "\n\n");
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    return '\n' + CLI::Formatter::make_usage(app, std::move(name));
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text;
    if (!option->get_type_name().empty()) text = ' ' + option->get_type_name();
    if (!option->get_default_str().empty()) text += '=' + option->get_default_str();
    if (option->get_expected_max() > 1) text += " ...";
    return text + ' ';  // at least two blanks before the description
  }
};

}  // namespace

void refuse_value(const std::string& option, const std::string& why) {
  throw CLI::ValidationError(option, why);
}

Option Option::type_name(const std::string& name) const { return Option(*option_->type_name(name)); }

Option Option::usual(const std::string& text) const { return Option(*option_->default_str(text)); }

Option Option::required() const { return Option(*option_->required()); }

Option Option::excludes(const std::string& other) const { return Option(*option_->excludes(other)); }

Option Option::needs(const std::string& other) const { return Option(*option_->needs(other)); }

Command Command::command(const std::string& name, const std::string& description) const {
  return Command(*app_->add_subcommand(name, description)->group(group_.empty() ? "Commands" : group_));
}

Command Command::group(std::string heading) const {
  Command same = *this;
  same.group_ = std::move(heading);
  return same;
}

void Command::examples(const std::vector<std::pair<std::string, std::string>>& calls) const {
  std::string text = "Examples:\n";
  for (const auto& [call, what] : calls) text += fmt::format("  {}\n      {}\n", call, what);
  text.pop_back();  // CLI11 adds one
  app_->footer(text);
}

Option Command::in_group(CLI::Option& option) const {
  return Option(*(group_.empty() ? &option : option.group(group_)));
}

void Command::run(std::function<void()> run) const { app_->callback(std::move(run)); }

Option Command::option(const std::string& name, const Store<std::string>& store,
                       const std::string& description) const {
  return in_group(*app_->add_option_function<std::string>(name, store, description));
}

Option Command::list(const std::string& name, std::vector<std::string>& values,
                     const std::string& description) const {
  return in_group(*app_->add_option(name, values, description)->allow_extra_args(!name.starts_with('-')));
}

Option Command::flag(const std::string& name, bool& given, const std::string& description) const {
  return in_group(*app_->add_flag(name, given, description));
}

template <class Number>
Option Command::whole(const std::string& name, Range<Number> range, const Store<Number>& store,
                      const std::string& description) const {
  return option(
      name, [=](const std::string& text) { store(parsed(name, text, range)); }, description);
}
template Option Command::whole<int>(const std::string&, Range<int>, const Store<int>&,
                                    const std::string&) const;
template Option Command::whole<std::uint64_t>(const std::string&, Range<std::uint64_t>,
                                              const Store<std::uint64_t>&, const std::string&) const;

Option Command::decimal(const std::string& name, Range<double> range, const Store<double>& store,
                        const std::string& description) const {
  return option(
      name, [=](const std::string& text) { store(parsed(name, text, range)); }, description);
}

Option Command::one_of(const std::string& name, const std::vector<std::string>& words,
                       const std::function<void(std::size_t)>& store, const std::string& description) const {
  const auto choose = [=](const std::string& text) {
    const auto word = std::ranges::find(words, text);
    if (word == words.end())
      refuse_value(last_name(name), fmt::format("expected {}, not \"{}\"", alternatives(words), text));
    store(static_cast<std::size_t>(word - words.begin()));
  };
  return option(name, choose, description).type_name(CLI::detail::join(words, "|"));
}

CommandLine::CommandLine(const std::string& name, const std::string& description)
    : CommandLine(std::make_unique<CLI::App>(description, name)) {}

CommandLine::CommandLine(std::unique_ptr<CLI::App> app) : Command(*app), owned_(std::move(app)) {
  owned_->formatter(std::make_shared<HelpFormatter>());
  owned_->set_help_flag("-h,--help", "this help");
  owned_->set_version_flag("--version", fmt::format("{} {}\n", owned_->get_name(), version()), "the version");
}

CommandLine::~CommandLine() = default;

void CommandLine::options_anywhere() const {
  app().require_subcommand(0, 1)->fallthrough();
  for (CLI::App* const command : app().get_subcommands([](const CLI::App*) { return true; }))
    command->fallthrough();
}

void CommandLine::read(std::vector<std::string> arguments) const {
  const auto refuse = [&](const CLI::ParseError& error) {
    std::string why = error.what();
    constexpr std::string_view twice = ": At Most 1 required but received ";
    if (const std::size_t at = why.find(twice); at != why.npos)
      why.replace(at, why.npos,
                  fmt::format(" is given {} times: once is enough", why.substr(at + twice.size())));
    constexpr std::string_view one_missing = ": 1 required ";
    if (const std::size_t at = why.find(one_missing); at != why.npos && why.ends_with(" missing"))
      why.replace(at, one_missing.size(), " needs a value: ");
    throw UsageError(fmt::format("{} (see {} --help)", why, called(app())));
  };
  // help [COMMAND]: [COMMAND] --help
  if (!arguments.empty() && arguments.front() == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  std::ranges::reverse(arguments);  // as CLI11 wants them
  try {
    app().parse(std::move(arguments));
  } catch (const CLI::CallForVersion& version) {
    throw Answer{version.what()};
  } catch (const CLI::CallForHelp&) {
    throw Answer{app().help()};
  } catch (const CLI::ExtrasError& error) {
    const std::vector<std::string> rest = app().remaining(true);
    const auto option = std::ranges::find_if(rest, [](const auto& word) { return word.starts_with('-'); });
    // Options behind a word that is no command are that command's.
    const bool of_none = app().get_subcommands().empty() && option != rest.begin();
    if (option != rest.end() && !of_none)
      throw UsageError(fmt::format("{} (see {} --help)", unknown_option(app(), *option), called(app())));
    if (rest.empty()) refuse(error);
    if (!app().get_subcommands().empty() &&
        app().get_subcommands().back()->get_option_no_throw("--schedule") != nullptr &&
        rest.front().find('.') != std::string::npos)
      throw UsageError(
          fmt::format("a file with a schedule goes to --schedule: {} --schedule {} (see {} --help)",
                      called(app()), rest.front(), called(app())));
    if (!app().get_subcommands().empty())
      throw UsageError(
          fmt::format("\"{}\" is more than {} takes without the name of an option; a list has commas and no "
                      "blanks (see {} --help)",
                      rest.front(), called(app()), called(app())));
    for (const Collective collective : collectives())
      if (enums::name(collective) == rest.front())
        throw UsageError(
            fmt::format("{0} is an operation, not a command: {1} explain {0}, {1} compare --collective {0} "
                        "(see {1} --help)",
                        rest.front(), app().get_name()));
    throw UsageError(fmt::format("there is no command \"{}\"{}: {} (see {} --help)", rest.front(),
                                 near_command(app(), rest.front()), commands(), app().get_name()));
  } catch (const CLI::ParseError& error) {
    refuse(error);
  }
}

std::string CommandLine::commands() const {
  std::vector<std::string> names;
  for (const CLI::App* command : app().get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return alternatives(names);
}

std::string CommandLine::command_asked() const {
  const auto asked = app().get_subcommands();
  return asked.empty() ? "" : asked.front()->get_name();
}

std::vector<CommandLine::Given> CommandLine::given() const {
  std::vector<Given> all;
  for (const CLI::Option* const option : app().get_options())
    if (option->count() > 0) all.push_back({option->get_lnames(), option->results().front()});
  return all;
}

}  // namespace vnode
