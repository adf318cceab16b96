#include "options/command.hpp"

#include <CLI/CLI.hpp>
#include <utility>

namespace vnode {

Option Option::type_name(const std::string& name) const { return Option(*option_->type_name(name)); }

Option Option::required() const { return Option(*option_->required()); }

Option Option::excludes(const std::string& other) const { return Option(*option_->excludes(other)); }

Option Option::needs(const std::string& other) const { return Option(*option_->needs(other)); }

Command Command::command(const std::string& name, const std::string& description) const {
  return Command(*app_->add_subcommand(name, description));
}

void Command::run(std::function<void()> run) const { app_->callback(std::move(run)); }

Option Command::option(const std::string& name, const Store& store, const std::string& description) const {
  return Option(*app_->add_option_function<std::string>(name, store, description));
}

Option Command::option(const std::string& name, std::string& value, const std::string& description) const {
  return option(
      name, [&value](const std::string& text) { value = text; }, description);
}

Option Command::option(const std::string& name, std::optional<std::string>& value,
                       const std::string& description) const {
  return option(
      name, [&value](const std::string& text) { value = text; }, description);
}

Option Command::option(const std::string& name, std::vector<std::string>& values,
                       const std::string& description) const {
  return Option(*app_->add_option(name, values, description)->allow_extra_args(false));
}

Option Command::flag(const std::string& name, bool& given, const std::string& description) const {
  return Option(*app_->add_flag(name, given, description));
}

void refuse_value(const std::string& option, const std::string& why) {
  throw CLI::ValidationError(option, why);
}

}  // namespace vnode
