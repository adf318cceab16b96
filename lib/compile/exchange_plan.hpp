#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

#include <vnode/call.hpp>
#include <vnode/neighbours.hpp>
#include <vnode/rank.hpp>

#include "compile/exchange_program.hpp"

namespace vnode {

/// Holds a call whose arguments have been checked, and in which only the two ends of a message know how long
/// it is: the node's program and the arguments it was made from.
class ExchangePlan {
 public:
  /// Checks an exchange and makes the program. `neighbours` are those of node `me` of `nodes`, whether the
  /// call names them or not. Throws UsageError with a sentence that says what is wrong with the arguments.
  ExchangePlan(const Arguments& call, const Neighbours& neighbours, Rank me, int nodes,
               std::size_t most_eager);
  /// Takes the program of a collective with a count for each rank, in which the node contributes
  /// `bytes_sent`. If the output overwrites the input, the program reads `copy` instead.
  ExchangePlan(const Arguments& call, ExchangeProgram program, std::size_t bytes_sent,
               std::vector<std::byte> copy);

  /// Tells whether the plan was made from these arguments.
  bool is_of(const Arguments& call) const;
  const ExchangeProgram& program() const { return program_; }
  /// Returns the number of bytes that the node sends, including those to itself.
  std::size_t bytes_sent() const { return bytes_sent_; }
  /// Copies an input that the output overwrites. Called when a call begins, by its node.
  void copy_input() const {
    if (!copy_.empty()) std::memcpy(copy_.data(), in_.memory.data, copy_.size());
  }

 private:
  /// Describes a buffer of the call, and owns what it points to except for the elements.
  struct Kept {
    explicit Kept(const Buffer& from);
    bool is(const Buffer& buffer) const {
      if (memory.data != buffer.data || count != buffer.count) return false;
      const bool plain = buffer.layout == nullptr && buffer.parts == nullptr && buffer.pieces == nullptr;
      return plain ? is_plain : is_divided_as(buffer);
    }
    bool is_divided_as(const Buffer& buffer) const;

    LaidMemory memory;
    std::size_t count;
    Layout layout;
    Partition parts;
    std::vector<Kept> pieces;
    bool is_plain;  // it has no layout, no partition and no pieces
  };

  Arguments::Parts parts_;
  bool exchange_;
  std::uint64_t element_hash_;
  std::optional<Neighbours> neighbours_;  // set if the call has named them
  Kept in_, out_;
  ExchangeProgram program_;
  std::size_t bytes_sent_ = 0;
  mutable std::vector<std::byte> copy_;  // of what the output overwrites
};

}  // namespace vnode
