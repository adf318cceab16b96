#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <vnode/exchanges.hpp>
#include <vnode/neighbours.hpp>
#include <vnode/rank.hpp>

#include "runtime/exchange.hpp"

namespace vnode {

/// Holds an exchange whose arguments have been checked: the node's program and the arguments it was made
/// from.
class ExchangePlan {
 public:
  /// Checks the call and makes the program. `neighbours` are those of node `me` of `nodes`, whether the call
  /// names them or not. Throws UsageError with a sentence that says what is wrong with the arguments.
  ExchangePlan(const ExchangeArguments& call, const Neighbours& neighbours, Rank me, int nodes,
               std::size_t most_eager);

  /// Tells whether the plan was made from these arguments.
  bool is_of(const ExchangeArguments& call) const;
  const ExchangeProgram& program() const { return program_; }
  /// Returns the number of bytes that the node sends, including those to itself.
  std::size_t bytes_sent() const { return bytes_sent_; }

 private:
  /// Describes a buffer of the call, and owns its layout.
  struct Kept {
    explicit Kept(const Buffer& from)
        : memory{static_cast<std::byte*>(from.data), from.layout != nullptr ? &from.layout->form() : nullptr,
                 from.first},
          count(from.count) {
      if (from.layout != nullptr) layout = *from.layout;
    }
    bool is(const Buffer& piece) const {
      return memory.data == piece.data && count == piece.count && memory.first == piece.first &&
             memory.form == (piece.layout != nullptr ? &piece.layout->form() : nullptr);
    }
    LaidMemory memory;
    std::size_t count;
    Layout layout;
  };
  static bool are(const std::vector<Kept>& kept, std::span<const Buffer> pieces);

  ExchangeArguments::Parts parts_;
  bool to_all_;
  std::uint64_t element_hash_;
  std::optional<Neighbours> neighbours_;  // set if the call has named them
  Kept in_, out_;
  Partition in_parts_, out_parts_;
  std::vector<Kept> in_pieces_, out_pieces_;
  ExchangeProgram program_;
  std::size_t bytes_sent_ = 0;
};

}  // namespace vnode
