#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <new>

#include <vnode/c/status.h>
#include <vnode/version.hpp>

#include "c/entry.hpp"

namespace vnode {

LastFailure& last_failure() noexcept {
  thread_local LastFailure last;
  return last;
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
  switch (code) {
    case VNODE_ERROR_USAGE:
      throw UsageError(sentence);
    case VNODE_ERROR_MISMATCH:
      throw Mismatch(sentence);
    case VNODE_ERROR_TIME_LIMIT:
      throw TimeLimitExceeded(sentence);
    case VNODE_ERROR_DEADLOCK:
      throw Deadlock(sentence);
    case VNODE_ERROR_ABORTED:
      throw Aborted(sentence);
    case VNODE_ERROR_SYSTEM:
      throw SystemError(sentence);
    default:
      throw CallbackFailed(code, sentence);
  }
}

int failed(const char* function) noexcept {
  const auto keep = [](int code, const char* sentence) {
    keep_failure(code, sentence);
    return code;
  };
  try {
    try {
      throw;
    } catch (const WrongArgument& error) {
      return keep(VNODE_ERROR_USAGE, fmt::format("{}: {}", function, error.what()).c_str());
    } catch (const CallbackFailed& error) {
      return keep(error.code, error.what());
    } catch (const UsageError& error) {
      return keep(VNODE_ERROR_USAGE, error.what());
    } catch (const Mismatch& error) {
      return keep(VNODE_ERROR_MISMATCH, error.what());
    } catch (const Deadlock& error) {
      return keep(VNODE_ERROR_DEADLOCK, error.what());
    } catch (const TimeLimitExceeded& error) {
      return keep(VNODE_ERROR_TIME_LIMIT, error.what());
    } catch (const Aborted& error) {
      return keep(VNODE_ERROR_ABORTED, error.what());
    } catch (const SystemError& error) {
      return keep(VNODE_ERROR_SYSTEM, error.what());
    } catch (const std::bad_alloc&) {
      return keep(VNODE_ERROR_MEMORY, fmt::format("{}: no memory", function).c_str());
    } catch (const std::exception& error) {
      return keep(VNODE_ERROR_OTHER, error.what());
    } catch (...) {
      return keep(VNODE_ERROR_OTHER, "an exception that is not a std::exception");
    }
  } catch (...) {  // no memory for a sentence
    return keep(VNODE_ERROR_MEMORY, "no memory");
  }
}

void check_size(const char* name, std::size_t given, std::size_t least, std::size_t most) {
  if (given >= least && given <= most) return;
  throw WrongArgument(fmt::format(
      "the member size of {0} is {1}: it is sizeof({0}), {2} here{3}", name, given, most,
      given > most ? "; the program was compiled with a newer vnode.h than the library it runs with" : ""));
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
  switch (code) {
    case VNODE_OK:
      return "VNODE_OK";
    case VNODE_ERROR_USAGE:
      return "VNODE_ERROR_USAGE";
    case VNODE_ERROR_MISMATCH:
      return "VNODE_ERROR_MISMATCH";
    case VNODE_ERROR_TIME_LIMIT:
      return "VNODE_ERROR_TIME_LIMIT";
    case VNODE_ERROR_DEADLOCK:
      return "VNODE_ERROR_DEADLOCK";
    case VNODE_ERROR_ABORTED:
      return "VNODE_ERROR_ABORTED";
    case VNODE_ERROR_SYSTEM:
      return "VNODE_ERROR_SYSTEM";
    case VNODE_ERROR_MEMORY:
      return "VNODE_ERROR_MEMORY";
    case VNODE_ERROR_OTHER:
      return "VNODE_ERROR_OTHER";
    default:
      return code > 0 ? "a callback's own code" : "unknown";
  }
}

const char* vnode_version(void) { return version().data(); }

int vnode_abi_version(void) { return VNODE_ABI; }

void vnode_text_free(char** text) {
  if (text == nullptr) return;
  std::free(*text);
  *text = nullptr;
}
