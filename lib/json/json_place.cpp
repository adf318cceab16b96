#include "json/json_place.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

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

using Json = nlohmann::json;

constexpr std::size_t enough = 40;  // bytes of the text in a sentence

const Json& json_of(const void* json) { return *static_cast<const Json*>(json); }

std::string shortened(std::string text) {
  return text.size() > enough ? text.substr(0, enough) + "..." : text;
}

/// Returns a key as a sentence shows it: on one line, and not too long.
std::string shown(std::string_view key) {
  const std::string text = Json(key).dump(-1, ' ', true, Json::error_handler_t::replace);
  return shortened(text.substr(1, text.size() - 2));
}

Json parsed(std::string_view text, const std::string& what) {
  constexpr int deepest = 8;
  check_json(text, what, deepest);
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  return Json::parse(text, [&](int, Json::parse_event_t event, const Json& value) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
      throw UsageError(fmt::format("{}: \"{}\" is there twice", what, shown(value.get<std::string>())));
    return true;
  });
}

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

JsonPlace::JsonPlace(std::shared_ptr<const void> whole, const void* json, std::string what, std::string path)
    : whole_(std::move(whole)), json_(json), what_(std::move(what)), path_(std::move(path)) {}

JsonPlace JsonPlace::parse(std::string_view text, std::string what) {
  const auto whole = std::make_shared<const Json>(parsed(text, what));
  return {whole, whole.get(), std::move(what), ""};
}

std::string JsonPlace::path_to(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void JsonPlace::fail(const std::string& why) const {
  throw UsageError(fmt::format("{}{}{}: {}", what_, path_.empty() ? "" : ", ", path_, why));
}

void JsonPlace::refuse(const std::string& expected) const {
  fail(fmt::format("expected {}, not {}", expected,
                   shortened(json_of(json_).dump(-1, ' ', true, Json::error_handler_t::replace))));
}

void JsonPlace::check_object(const std::vector<std::string_view>& keys) const {
  if (!json_of(json_).is_object()) refuse("an object");
  for (const auto& item : json_of(json_).items())
    if (std::ranges::find(keys, item.key()) == keys.end())
      throw UsageError(fmt::format("{}, {}: no such key; there are {}", what_, path_to(shown(item.key())),
                                   fmt::join(keys, ", ")));
}

void JsonPlace::check_keys(const std::vector<std::string_view>& needed) const {
  std::vector<std::string> missing;
  for (const std::string_view key : needed)
    if (!has(key)) missing.push_back(path_to(key));
  if (!missing.empty()) throw UsageError(fmt::format("{}, {}: missing", what_, fmt::join(missing, ", ")));
}

std::vector<std::string> JsonPlace::keys() const {
  if (!json_of(json_).is_object()) refuse("an object");
  std::vector<std::string> keys;
  for (const auto& item : json_of(json_).items()) keys.push_back(item.key());
  return keys;
}

bool JsonPlace::has(std::string_view key) const { return json_of(json_).contains(key); }

JsonPlace JsonPlace::at(std::string_view key) const {
  if (!json_of(json_).is_object()) refuse("an object");
  const auto found = json_of(json_).find(key);
  if (found == json_of(json_).end()) throw UsageError(fmt::format("{}, {}: missing", what_, path_to(key)));
  return {whole_, &*found, what_, path_to(key)};
}

std::size_t JsonPlace::size() const {
  if (!json_of(json_).is_array()) refuse("a list");
  return json_of(json_).size();
}

JsonPlace JsonPlace::at(std::size_t index) const {
  return {whole_, &json_of(json_)[index], what_, fmt::format("{}[{}]", path_, index)};
}

bool JsonPlace::is_object() const { return json_of(json_).is_object(); }
bool JsonPlace::is_text() const { return json_of(json_).is_string(); }
bool JsonPlace::is_null() const { return json_of(json_).is_null(); }

std::string JsonPlace::text(std::size_t longest) const {
  if (!is_text() || json_of(json_).get_ref<const std::string&>().size() > longest)
    refuse(fmt::format("a text of at most {} bytes", longest));
  return json_of(json_).get<std::string>();
}

double JsonPlace::number(NumberBounds bounds) const {
  if (!json_of(json_).is_number() || !(json_of(json_).get<double>() >= bounds.least) ||
      !(json_of(json_).get<double>() <= bounds.most))
    refuse(fmt::format("a number from {:g} to {:g}{}{}", bounds.least, bounds.most,
                       bounds.unit.empty() ? "" : " ", bounds.unit));
  return json_of(json_).get<double>();
}

long JsonPlace::whole_number(NumberBounds bounds) const {
  const bool whole = json_of(json_).is_number_integer();
  const double value = whole ? json_of(json_).get<double>() : 0;
  if (!whole || value < bounds.least || value > bounds.most)
    refuse(fmt::format("a whole number from {:.15g} to {:.15g}", bounds.least, bounds.most));
  return json_of(json_).get<long>();
}

bool JsonPlace::truth() const {
  if (!json_of(json_).is_boolean()) refuse("true or false");
  return json_of(json_).get<bool>();
}

std::string JsonPlace::dumped() const { return json_of(json_).dump(); }

}  // namespace vnode
