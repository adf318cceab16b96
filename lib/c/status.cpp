#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <vnode/c/status.h>
#include <vnode/version.hpp>

#include "base/this_thread.hpp"
#include "c/entry.hpp"
#include "c/standard.hpp"

namespace vnode {
namespace {

/// A code of vnode.h's, and the exceptions that it stands for.
struct Status {
  int code;
  const char* name;
  bool (*is_of)(const std::exception& error) = nullptr;  ///< null: of no exception of vnode's own
  void (*raise)(const std::string& sentence) = nullptr;
};

template <class Error>
constexpr Status status_of(int code, const char* name) {
  return {code, name,
          [](const std::exception& error) { return dynamic_cast<const Error*>(&error) != nullptr; },
          [](const std::string& sentence) { throw Error(sentence); }};
}

constexpr std::array statuses{
    Status{VNODE_OK, "VNODE_OK"},
    status_of<UsageError>(VNODE_ERROR_USAGE, "VNODE_ERROR_USAGE"),
    status_of<Mismatch>(VNODE_ERROR_MISMATCH, "VNODE_ERROR_MISMATCH"),
    status_of<TimeLimitExceeded>(VNODE_ERROR_TIME_LIMIT, "VNODE_ERROR_TIME_LIMIT"),
    status_of<Deadlock>(VNODE_ERROR_DEADLOCK, "VNODE_ERROR_DEADLOCK"),
    status_of<Aborted>(VNODE_ERROR_ABORTED, "VNODE_ERROR_ABORTED"),
    status_of<SystemError>(VNODE_ERROR_SYSTEM, "VNODE_ERROR_SYSTEM"),
    Status{VNODE_ERROR_MEMORY, "VNODE_ERROR_MEMORY"},
    Status{VNODE_ERROR_OTHER, "VNODE_ERROR_OTHER"},
};

/// Returns the failures of the nodes that are fibers of this thread.
std::unordered_map<ThreadId, LastFailure>& failures_of_fibers() noexcept {
  thread_local std::unordered_map<ThreadId, LastFailure> of;
  return of;
}

}  // namespace

LastFailure& last_failure() noexcept {
  thread_local LastFailure last;
  if (this_thread() == thread_itself()) return last;
  const auto own = failures_of_fibers().find(this_thread());
  return own != failures_of_fibers().end() ? own->second : last;
}

FailureOfNode::FailureOfNode() {
  if (this_thread() != thread_itself()) made_ = failures_of_fibers().try_emplace(this_thread()).second;
  last_failure() = {};
}
FailureOfNode::~FailureOfNode() {
  if (made_) failures_of_fibers().erase(this_thread());
}

void keep_failure(int code, std::string_view sentence) noexcept {
  LastFailure& last = last_failure();
  last.code = code;
  try {
    last.sentence = sentence;
  } catch (...) {
    last.sentence = "no memory";  // short enough to need none
  }
}

void throw_code(int code, const std::string& what) {
  const LastFailure& last = last_failure();
  const bool own = last.code == VNODE_OK || last.code == code;
  const std::string sentence =
      own && !last.sentence.empty() ? last.sentence : fmt::format("{} has returned {}", what, code);
  for (const Status& status : statuses)
    if (status.code == code && status.raise != nullptr) status.raise(sentence);
  throw CallbackFailed(code, sentence);
}

namespace {

/// Returns a sentence of the C++ library in the words of vnode.h.
std::string in_words_of_c(std::string sentence) {
  using Word = std::pair<std::string_view, std::string_view>;
  static const std::vector<Word> words = [] {
    std::vector<Word> list{{"TeamOptions::", "vnode_team_options."},
                           {"Threads::own", "VNODE_THREADS_OWN"},
                           {"Threads::callers", "VNODE_THREADS_CALLERS"},
                           {"Nodes::threads", "VNODE_NODES_THREADS"},
                           {"Team::run", "vnode_team_run"},
                           {"run()", "vnode_team_run()"},
                           {"join()", "vnode_team_join()"},
                           {"join(", "vnode_team_join("},
                           {"wait() comes before the next start()",
                            "vnode_persistent_wait() comes before the next vnode_persistent_start()"}};
    each_standard_operator([&]<class Operator>(vnode_operator, const char* name) {
      list.emplace_back(type_name<Operator>(), name);
    });
    return list;
  }();
  const auto is_within_word = [&](std::size_t at) {
    return at > 0 && (std::isalnum(static_cast<unsigned char>(sentence[at - 1])) != 0 ||
                      sentence[at - 1] == '_' || sentence[at - 1] == ':');
  };
  for (const auto& [cpp, c] : words)
    for (std::size_t at = 0; (at = sentence.find(cpp, at)) != std::string::npos; ++at)
      if (!is_within_word(at)) sentence.replace(at, cpp.size(), c);
  return sentence;
}

}  // namespace

int failed(const char* function) noexcept {
  const auto keep = [](int code, std::string_view sentence) {
    keep_failure(code, sentence);
    return code;
  };
  try {
    try {
      throw;
    } catch (const WrongArgument& error) {
      return keep(VNODE_ERROR_USAGE, fmt::format("{}: {}", function, error.what()));
    } catch (const CallbackFailed& error) {
      return keep(error.code, error.what());
    } catch (const std::bad_alloc&) {
      return keep(VNODE_ERROR_MEMORY, fmt::format("{}: no memory", function));
    } catch (const std::exception& error) {
      for (const Status& status : statuses)
        if (status.is_of != nullptr && status.is_of(error))
          return keep(status.code, in_words_of_c(error.what()));
      return keep(VNODE_ERROR_OTHER, error.what());
    } catch (...) {
      return keep(VNODE_ERROR_OTHER, "an exception that is not a std::exception");
    }
  } catch (...) {  // no memory for a sentence
    keep_failure(VNODE_ERROR_MEMORY, "no memory");
    return VNODE_ERROR_MEMORY;
  }
}

void check_enumerated(const char* name, int number, int count) {
  if (number < 0 || number >= count)
    throw WrongArgument(fmt::format("there is no {} {}: they are 0 to {}", name, number, count - 1));
}

void check_size(const char* name, std::size_t given, std::size_t least, std::size_t most) {
  if (given >= least && given <= most) return;
  throw WrongArgument(fmt::format(
      "the member size of {0} is {1}: it is sizeof({0}), {2} here{3}", name, given, most,
      given > most ? "; the options are not initialized, or of a newer vnode.h than the library's" : ""));
}

void put_text(char** to, std::string_view text) {
  char*& out = needed(to, "the text's address");
  out = nullptr;
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  out = copy;
}

}  // namespace vnode

using namespace vnode;

const char* vnode_message(void) { return last_failure().sentence.c_str(); }

void vnode_set_message(const char* sentence) { keep_failure(VNODE_OK, text_or_empty(sentence)); }

const char* vnode_status_name(int code) {
  for (const Status& status : statuses)
    if (status.code == code) return status.name;
  return code > 0 ? "a callback's own code" : "unknown";
}

const char* vnode_version(void) { return version().data(); }

int vnode_abi_version(void) { return VNODE_ABI; }

void vnode_text_free(char** text) {
  if (text == nullptr) return;
  std::free(*text);
  *text = nullptr;
}
