#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "channel/wire.hpp"
#include "mpi/mpi.hpp"

namespace vnode {

/// Says which process of a cluster has which nodes.
struct NodeTable {
  std::vector<int> first;      ///< by process: its first node's rank; one more at the end
  std::vector<int> processes;  ///< by rank
};

/// Holds the two communicators for messages to the nodes that have the same number in their processes, so
/// that the thread of a node finds only its own messages there. The tag of a short message is the sender's
/// number in its process; that of a message that is not counted is this plus the number of nodes in that
/// process.
struct NodeCommunicators {
  explicit NodeCommunicators(MPI_Comm of) : short_messages(of), payloads(of) {}
  Communicator short_messages;
  Communicator payloads;  ///< of long messages, whose numbers are the tags
};

/// Is a node's end of the wires, over MPI's nonblocking calls.
///
/// Receives for short messages are posted ahead, a ring of them, from any process: MPI gives them the
/// messages of one sender in the order in which these were sent, and the ring is looked at in the order in
/// which they were posted. A short message is copied when it is sent, and its send is tested later.
class MpiWire final : public Wire {
 public:
  /// Takes the node's number in this process.
  MpiWire(const NodeTable& nodes, std::vector<NodeCommunicators>& communicators, int process, int node,
          int most_tag, bool yields, Turns& turns);
  ~MpiWire() override;
  MpiWire(const MpiWire&) = delete;
  MpiWire& operator=(const MpiWire&) = delete;

  bool send(Rank to, std::span<const std::byte> head, std::span<const std::byte> payload) override {
    return send_short(to, head, payload, true);
  }
  bool tell(Rank to, std::span<const std::byte> head, std::span<const std::byte> payload) override {
    return send_short(to, head, payload, false);
  }
  std::uint32_t number(Rank to, std::size_t bytes) override;
  void send(Rank to, std::uint32_t number, std::span<const std::byte> payload, bool awaited,
            void* of) override;
  void receive(Rank from, std::uint32_t number, std::span<std::byte> place, void* of) override;
  void cancel(void* of) override;
  bool poll(Events& events) override;
  bool yields() const override { return yields_; }
  std::uint64_t refused() const override { return refused_; }
  std::uint64_t sent(int process) const override { return sent_[static_cast<std::size_t>(process)]; }
  std::uint64_t received(int process) const override { return received_[static_cast<std::size_t>(process)]; }
  /// Return how many messages have been sent to a process, and received from it, by tell().
  std::uint64_t told(int process) const { return told_[static_cast<std::size_t>(process)]; }
  std::uint64_t heard(int process) const { return heard_[static_cast<std::size_t>(process)]; }

 private:
  static constexpr std::size_t posted = 16, most_unsent = 256;
  static constexpr std::size_t seldom = 16;  // short messages that are sent between two tests of them
  static constexpr std::size_t most_piece = std::size_t{1} << 30;  // of a long message: MPI counts in int
  struct ShortMessage {
    MPI_Request request = MPI_REQUEST_NULL;
    bool here = false;                                    // a message that has been received, and
    int bytes_here = 0;                                   // how long it is, and
    MPI_Status of{};                                      // its sender
    alignas(16) std::array<std::byte, most_short> bytes;  // the last: only as many as are used cost memory
  };
  enum class Way { receive, send, send_awaited };
  struct Long {
    void* of = nullptr;
    Way way = Way::receive;
    int process = 0;
    MPI_Comm over = MPI_COMM_NULL;
    int tag = 0;
    std::span<std::byte> rest{};  // the part that MPI has not been given yet
    std::size_t unbegun = 0;      // pieces in `rest`
    int pieces = 0;               // that MPI has and has not ended
    bool cancelled = false;
  };
  static std::size_t pieces(std::size_t bytes) {
    return std::max<std::size_t>((bytes + most_piece - 1) / most_piece, 1);
  }
  /// Names what a request belongs to: a short message that is sent from here, or a piece of a long one.
  struct Piece {
    std::unique_ptr<ShortMessage> short_message;  // null:
    std::list<Long>::iterator of_long;
  };
  struct Place {
    int process, node;
  };
  Place place_of(Rank rank) const;
  int nodes_of(int process) const {
    const auto at = static_cast<std::size_t>(process);
    return nodes_.first[at + 1] - nodes_.first[at];
  }
  bool send_short(Rank to, std::span<const std::byte> head, std::span<const std::byte> payload, bool counted);
  void post(ShortMessage& short_message);
  void cancel_posted() noexcept;
  bool has_come(ShortMessage& short_message);
  void make_room(std::size_t requests);
  void begin(MPI_Request request, Piece piece);
  void begin_rest(std::list<Long>::iterator message);
  void test_under_way();
  void tell_ended(Events& events);
  void note(int code, const char* call);
  void throw_noted();

  const NodeTable& nodes_;
  std::vector<NodeCommunicators>& communicators_;
  int process_, node_, most_tag_;
  bool yields_;
  Turns& turns_;
  std::vector<std::uint32_t> numbers_;                         // by receiver, of the last long message
  std::vector<std::uint64_t> sent_, received_, told_, heard_;  // by process
  std::unique_ptr<ShortMessage[]> ring_;
  std::size_t next_ = 0;  // of the ring
  std::uint64_t refused_ = 0;
  // These are sends, and receives of long messages, together, so that one call tests all.
  std::vector<MPI_Request> under_way_;
  std::vector<Piece> pieces_;  // each of the request in the same place
  std::vector<int> ended_;     // room for what MPI says of them, as is
  std::vector<MPI_Status> statuses_;
  std::size_t unsent_ = 0;          // short messages under way
  std::size_t tested_at_ = seldom;  // when they are so many they are tested
  std::vector<std::unique_ptr<ShortMessage>> spare_;
  std::list<Long> long_, next_long_;  // those on their way, and room for the next one that is sent
  int error_ = MPI_SUCCESS;           // of MPI, not thrown yet, and
  const char* failed_ = "";           // its call
};

}  // namespace vnode
