#pragma once

#include <string>

#include <vnode/error.hpp>

/// Returns the sentence of the UsageError that `call` throws; empty if it throws none.
template <class Call>
std::string message(Call call) {
  try {
    call();
  } catch (const vnode::UsageError& error) {
    return error.what();
  }
  return {};
}
