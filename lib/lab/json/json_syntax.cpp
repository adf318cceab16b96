#include "json/json_syntax.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>

#include <vnode/error.hpp>

namespace vnode {

namespace {

// Listens to the parser and keeps the first thing that is wrong.
class Listener final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Listener(int deepest) : deepest_(deepest) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    byte = position;
    constexpr int number_overflow = 406;
    if (error.id == number_overflow) {
      reason = fmt::format("the number {} is too large", last(token));
      return false;
    }
    // Its sentence ends with what was expected, if it knows; the rest speaks of the library.
    const std::string_view said = error.what();
    const std::size_t expected = said.rfind("; expected ");
    reason = token.empty() ? "the text is not JSON" : fmt::format("not JSON at \"{}\"", last(token));
    if (expected != said.npos) reason += fmt::format(", {}", said.substr(expected + 2));
    return false;
  }

  std::string reason;    ///< empty: nothing is wrong
  std::size_t byte = 0;  ///< the number of the last one that was read, from 1; 0: not known

 private:
  bool enter() {
    if (++depth_ <= deepest_) return true;
    reason = fmt::format("more than {} arrays and objects in each other", deepest_);
    return false;
  }
  bool leave() {
    --depth_;
    return true;
  }
  // A token may be a long string; its end is where the fault is.
  static std::string_view last(std::string_view token) {
    constexpr std::size_t enough = 20;
    if (const std::size_t control = token.rfind("<U+"); control != token.npos)  // as "<U+000A>"
      token.remove_prefix(std::min(token.size(), control + 8));
    return token.substr(token.size() - std::min(token.size(), enough));
  }

  int deepest_, depth_ = 0;
};

}  // namespace

void check_json(std::string_view text, std::string_view what, int deepest) {
  Listener listener(deepest);
  if (nlohmann::json::sax_parse(text, &listener)) return;
  if (listener.byte == 0) throw UsageError(fmt::format("{}: {}", what, listener.reason));
  const std::string_view read = text.substr(0, std::min(listener.byte - 1, text.size()));
  const std::size_t line_begin = read.find_last_of('\n') + 1;  // 0 on the first line
  throw UsageError(fmt::format("{}, line {}, column {}: {}", what,
                               1 + std::count(read.begin(), read.end(), '\n'), read.size() - line_begin + 1,
                               listener.reason));
}

}  // namespace vnode
