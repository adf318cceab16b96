#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace vnode {

/// What is wrong with a schedule. Who only asks whether anything is, as with mutants, needs no sentences; and
/// nobody reads a sentence for each of a million blocks.
class Findings {
 public:
  enum class Wanted { sentences, number };
  explicit Findings(Wanted wanted = Wanted::sentences) : wanted_(wanted) {}

  /// So many are told; the others are counted.
  static constexpr std::size_t most = 100;

  /// One more. `sentence()` is called only if it will be read.
  template <class Sentence>
  void add(const Sentence& sentence) {
    ++number_;
    if (wanted_ == Wanted::sentences && sentences_.size() < most) sentences_.push_back(sentence());
  }

  bool none() const { return number_ == 0; }
  /// At the end, how many there are beyond the most.
  std::vector<std::string> sentences() && {
    if (const long more = number_ - static_cast<long>(sentences_.size()); more > 0)
      sentences_.push_back("and " + std::to_string(more) + " more");
    return std::move(sentences_);
  }

 private:
  Wanted wanted_;
  long number_ = 0;
  std::vector<std::string> sentences_;
};

}  // namespace vnode
