#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vnode {

/// What is wrong with a schedule. Who only asks whether anything is, as with mutants, needs no sentences.
class Findings {
 public:
  enum class Wanted { sentences, number };
  explicit Findings(Wanted wanted = Wanted::sentences) : wanted_(wanted) {}

  /// One more. `sentence()` is called only if it will be read.
  template <class Sentence>
  void add(const Sentence& sentence) {
    ++number_;
    if (wanted_ == Wanted::sentences) sentences_.push_back(sentence());
  }

  bool none() const { return number_ == 0; }
  std::vector<std::string> sentences() && { return std::move(sentences_); }

 private:
  Wanted wanted_;
  long number_ = 0;
  std::vector<std::string> sentences_;
};

}  // namespace vnode
