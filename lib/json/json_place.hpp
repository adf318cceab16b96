#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vnode {

/// Throws UsageError unless `text` is JSON that is at most `deepest` arrays and objects deep (readers and
/// writers recurse); the sentence begins with `what` it is and names line and column. O(text), without
/// building anything.
void check_json(std::string_view text, std::string_view what, int deepest = 64);

/// Holds the bounds of the numbers that a value may be, both ends included.
struct NumberBounds {
  double least = 0, most = 0;
  std::string_view unit{};  ///< "seconds"
};

/// Stands for a part of a JSON text and the way to it, "experiments[0].bytes". It is read strictly: where
/// something is not as it is asked for, a UsageError names the text and the key, says what was expected and
/// shows what is there.
class JsonPlace {
 public:
  /// Returns the whole text. Throws UsageError, which names the line and the column, for what is not JSON,
  /// for a key that comes twice in one object, and for more than 8 arrays and objects in each other. All
  /// sentences begin with `what` the text is.
  static JsonPlace parse(std::string_view text, std::string what);

  /// Throws unless this is an object that has no other keys than these; whether it has them shows when they
  /// are asked for.
  void check_object(const std::vector<std::string_view>& keys) const;
  /// Throws unless it has all of these keys; the sentence names all that are missing.
  void check_keys(const std::vector<std::string_view>& needed) const;
  bool is_object() const;
  bool has(std::string_view key) const;
  /// Returns the keys of an object in their order.
  std::vector<std::string> keys() const;
  JsonPlace at(std::string_view key) const;
  /// Returns the length of an array.
  std::size_t size() const;
  /// Returns an element of an array.
  JsonPlace at(std::size_t index) const;
  bool is_text() const;
  bool is_null() const;
  /// Returns a text of at most `longest` bytes.
  std::string text(std::size_t longest = std::size_t{1} << 16) const;
  double number(NumberBounds bounds) const;
  long whole_number(NumberBounds bounds) const;
  bool truth() const;
  /// Returns the part as a text of its own.
  std::string dumped() const;
  /// Throws: says what was expected instead of the value.
  [[noreturn]] void refuse(const std::string& expected) const;
  /// Throws with a sentence of its own.
  [[noreturn]] void fail(const std::string& why) const;

 private:
  JsonPlace(std::shared_ptr<const void> whole, const void* json, std::string what, std::string path);
  std::string path_to(std::string_view key) const;

  std::shared_ptr<const void> whole_;  // keeps all of it
  const void* json_;                   // nlohmann's, which no header of a room knows
  std::string what_, path_;
};

}  // namespace vnode
