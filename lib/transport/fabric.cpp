#include "transport/fabric.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include <vnode/error.hpp>

#include "machine/binding.hpp"

namespace vnode {
namespace {

/// Touches pages first on a PU or, if the thread may not run there, on the present one.
void touch_on(int pu, Pages& pages) {
  std::optional<PinnedThread> there;
  try {
    there.emplace(pu);
  } catch (const SystemError&) {
  }
  pages.touch();
}

}

PagePlacement placement_on(int bank, bool strict) {
  if (bank == any_bank) return {.strict = strict};
  if (bank == every_bank) return {.policy = PagePolicy::interleave, .strict = strict};
  return {.policy = strict ? PagePolicy::bind : PagePolicy::preferred, .banks = {bank}, .strict = strict};
}

std::byte* Slab::allocate(std::size_t bytes) {
  const std::size_t rounded = (bytes + two_lines - 1) / two_lines * two_lines;
  constexpr std::size_t least = 64 << 10;
  if (rounded > left_) reserve(std::max(rounded, least));
  std::byte* const given = next_;
  next_ += rounded;
  left_ -= rounded;
  used_ += rounded;
  return given;
}

void Slab::reserve(std::size_t bytes) {
  Pages& made = pages_.emplace_back(bytes, placement_on(place_.bank, place_.strict));
  if (!made.degraded().empty() && place_.owner_pu >= 0)
    touch_on(place_.owner_pu, made);
  else if (place_.dense)
    made.touch();
  next_ = made.data();
  left_ = bytes;
}

bool Slab::degraded() const {
  return std::ranges::any_of(pages_, [](const Pages& pages) { return !pages.degraded().empty(); });
}

namespace {

std::size_t lines_within(std::size_t budget, int nodes) {
  const auto p = static_cast<std::size_t>(nodes);
  const std::size_t links = std::max<std::size_t>(p * (p - 1), 1);
  std::size_t lines = 64;
  while (lines > 8 && links * (lines * cache_line + sizeof(Channel)) > budget) lines /= 2;
  return lines;
}

}

Fabric::Fabric(FabricOptions options)
    : options_(std::move(options)),
      processes_(options_.transport != nullptr ? std::make_optional<Processes>(*options_.transport)
                                               : std::nullopt),
      capacity_(lines_within(options_.budget, options_.nodes)),
      channels_(static_cast<std::size_t>(options_.nodes) * static_cast<std::size_t>(options_.nodes) *
                sizeof(std::atomic<Channel*>)),
      newest_(new std::atomic<const ChannelRecord*>[static_cast<std::size_t>(options_.nodes)]()),
      detector_(processes_ ? processes_->last(processes_->here()) - processes_->first(processes_->here())
                           : options_.nodes,
                options_.nodes),
      watch_(watch_of(*this)) {
  std::map<int, Rank> first_of_carrier;
  for (Rank rank = 0; const int carrier : options_.carriers)
    owners_.push_back(first_of_carrier.try_emplace(carrier, rank++).first->second);
  // Each object begins at a pair of lines.
  for (const auto& [carrier, first] : first_of_carrier)
    slab(first, own_bank(first))
        .reserve(static_cast<std::size_t>(std::ranges::count(owners_, first)) *
                 (sizeof(SharedNodeState) + sizeof(MemberState) + 2 * two_lines));
  std::vector<Rank> all;
  for (int rank = 0; rank < options_.nodes; ++rank) {
    Slab& own = slab(rank, own_bank(rank));
    shared_.push_back(own.make<SharedNodeState>(options_.fencing));
    member_states_.push_back(own.make<MemberState>());
    all.push_back(rank);
  }
  world_.emplace(std::uint16_t{0}, std::move(all), member_states_, options_.carriers);
}

/// Frees what is not in slabs: what queues between processes hold, and boards' lists of readers.
Fabric::~Fabric() {
  for (const ChannelRecord& made : made_) made.channel->clear();
  for (MemberState* state : member_states_) std::destroy_at(state);
}

std::vector<int> Fabric::carriers_of(const std::vector<Rank>& nodes) const {
  std::vector<int> carriers;
  if (!options_.carriers.empty())
    for (const Rank node : nodes) carriers.push_back(options_.carriers[static_cast<std::size_t>(node)]);
  return carriers;
}

int Fabric::own_bank(Rank owner) const {
  return options_.banks.empty() ? any_bank : options_.banks[static_cast<std::size_t>(owner)];
}

/// Returns the slab of a node on a bank, which the nodes of its carrier have, too. If the system binds no
/// memory, a node has one slab, which it has touched first.
Slab& Fabric::slab(Rank owner, int bank) {
  if (!owners_.empty()) owner = owners_[static_cast<std::size_t>(owner)];
  if (bank != own_bank(owner) && slab(owner, own_bank(owner)).degraded()) bank = own_bank(owner);
  const int pu = options_.pus.empty() ? -1 : options_.pus[static_cast<std::size_t>(owner)];
  const SlabPlace place{bank, pu, options_.strict_banks, !owners_.empty()};
  return slabs_.try_emplace({owner, bank}, place).first->second;
}

void Fabric::each_slab(const std::function<void(Rank, const Slab&)>& visit) {
  const std::lock_guard lock(making_);
  for (const auto& [key, slab] : slabs_) visit(key.first, slab);
}

std::size_t Fabric::max_inline() const { return std::min(vnode::max_inline, payload_of(capacity_ / 2)); }

Channel& Fabric::channel(Rank from, Rank to) {
  std::atomic<Channel*>& place = link(from, to);
  const std::lock_guard lock(making_);
  // Relaxed: ordered by the lock. A write, since a page that is read first is given to the process twice.
  if (Channel* made = place.fetch_add(0, std::memory_order_relaxed)) return *made;
  Slab& memory = slab(to, options_.bank_between ? options_.bank_between(from, to) : own_bank(to));
  const std::size_t before = memory.used();
  Channel* channel =
      !is_here(from) || !is_here(to)
          ? memory.make<Channel>(
                options_.transport->wire((is_here(from) ? from : to) - processes_->first(processes_->here())),
                to)
      : options_.boost ? memory.make<Channel>(std::in_place_type<BoostQueue>, capacity_, memory)
                       : memory.make<Channel>(std::in_place_type<LineRing>, capacity_, memory);
  auto& newest = newest_[static_cast<std::size_t>(to)];
  made_.push_back({from, to, channel, newest.load(std::memory_order_relaxed)});
  channel_bytes_.fetch_add(memory.used() - before, std::memory_order_relaxed);
  newest.store(&made_.back(), std::memory_order_release);  // (c) before its maker's first message
  place.store(channel, std::memory_order_release);         // (a)
  return *channel;
}

Cell* Fabric::make_cells(Rank owner, std::size_t cells) {
  const std::lock_guard lock(making_);
  auto* made = reinterpret_cast<Cell*>(slab(owner, own_bank(owner)).allocate(cells * sizeof(Cell)));
  for (std::size_t i = 0; i < cells; ++i) new (made + i) Cell;
  return made;
}

void Fabric::ring_bell(Rank rank) {
  SharedNodeState& node = shared(rank);
  if (node.fiber != nullptr)
    node.fiber->ring();
  else
    node.doorbell.ring();
}

void Fabric::ring_each(const Context& context) {
  // Of a small group the members are rung one by one, since all others of their carriers would look in vain.
  if (const auto& carriers = context.lowest_of_carriers();
      !carriers.empty() && 2 * context.size() >= nodes()) {
    for (const Rank lowest : carriers) shared(context.node(lowest)).fiber->carrier().ring_all();
    return;
  }
  for (const Rank node : context.nodes()) ring_bell(node);
}

void Fabric::ring_one_that_waits() {
  for (const Rank node : world().nodes())
    if (shared(node).left.load(std::memory_order_relaxed) == 0) return ring(node);
}

// The handshake of enter() and quiesce(): one side stores `inside` and then looks at `aborted_`, the other
// stores `aborted_` and then looks at `inside`. With a full barrier between store and look on both sides one
// of them must see the other: a node that enters after quiesce() has seen it outside sees the abort, and
// leaves again without having touched anything. heavy_barrier() is the barrier of both; the accesses are
// seq_cst for tests with a sanitizer.
bool Fabric::enter(Rank rank) {
  std::atomic<std::uint32_t>& inside = shared(rank).inside;
  if constexpr (sanitized_threads) {
    inside.store(1, std::memory_order_seq_cst);
    if (!aborted_.load(std::memory_order_seq_cst)) return true;
  } else {
    inside.store(1, std::memory_order_relaxed);
    light_barrier();  // pairs with heavy_barrier() in quiesce()
    if (!aborted_.load(std::memory_order_relaxed)) return true;
  }
  leave(rank);
  return false;
}

namespace {

/// Returns what the peers of a failed node are told: of a report of several lines only the first.
std::string abort_text(Rank node, const std::exception_ptr& reason) try {
  std::rethrow_exception(reason);
} catch (const Aborted& consequence) {
  return consequence.what();
} catch (const Deadlock& all) {
  const std::string_view text = all.what();
  return std::string(text.substr(0, text.find('\n')));
} catch (const std::exception& error) {
  const std::string_view text = error.what();
  std::string_view first = text.substr(0, text.find('\n'));
  if (first.ends_with(':')) first.remove_suffix(1);  // what it announces is in the lines that follow
  return fmt::format("node {} has failed: {}", node, first);
} catch (...) {
  return fmt::format("node {} has failed by an exception that is not a std::exception", node);
}

}  // namespace

void Fabric::abort(Rank node, std::exception_ptr reason, bool consequence) noexcept {
  {
    const std::lock_guard lock(making_);
    aborted_.store(true, std::memory_order_seq_cst);  // pairs with enter()
    if (reason && (!has_cause_ || (consequence_ && !consequence))) {
      has_cause_ = true;
      consequence_ = consequence;
      failed_ = node;
      try {
        cause_ = abort_text(node, reason);
      } catch (...) {
        cause_.clear();
      }
      failure_ = std::move(reason);
    }
  }
  ring_all();
}

// It ends this process by a signal: when a process calls MPI_Abort() while another one is stopped, MPICH's
// mpirun does not end all.
void Fabric::end_job(std::string_view why) {
  std::string failed;
  try {
    if (const std::exception_ptr reason = failure()) std::rethrow_exception(reason);
  } catch (const std::exception& error) {
    failed = error.what();
  } catch (...) {
    failed = "a node has failed";
  }
  const bool has_roll_call = failed.find('\n') != std::string::npos;
  const std::string text =
      fmt::format("vnode: {}\nvnode: {} ends the job: {}{}\n", failed, processes_->text(processes_->here()),
                  why, has_roll_call ? "" : watch_->status_of_all());
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::abort();
}

std::optional<std::string> Fabric::take_unreported_abort() {
  const std::lock_guard lock(making_);
  if (std::exchange(told_, true)) return {};
  return cause_.empty() ? "a node has failed" : cause_;
}

void Fabric::note_status(Rank node, std::string status) {
  const std::lock_guard lock(making_);
  statuses_[node] = std::move(status);
}

std::string Fabric::noted_status(Rank node) {
  const std::lock_guard lock(making_);
  const auto known = statuses_.find(node);
  return known != statuses_.end() ? known->second
                                  : "has not answered: it is in no vnode call, or cannot be reached";
}

void Fabric::note_different(const DifferentCalls& calls) {
  const std::lock_guard lock(making_);
  if (!different_) different_ = calls;
}

std::optional<DifferentCalls> Fabric::different() {
  const std::lock_guard lock(making_);
  return different_;
}

void Fabric::abort_from_outside(const std::string& sentence) {
  {
    const std::lock_guard lock(making_);
    told_ = true;
  }
  abort(-1, std::make_exception_ptr(Aborted(sentence)), true);
}

void Fabric::throw_aborted() {
  // A thread that has seen aborted_ gets the mutex after abort() has, which stores that with the mutex held.
  const std::lock_guard lock(making_);
  throw Aborted(cause_.empty() ? "another node has failed" : cause_);
}

void Fabric::keep_cause_only(Rank node) {
  const std::lock_guard lock(making_);
  if (failed_ == node) failure_ = nullptr;
}

std::exception_ptr Fabric::failure() {
  const std::lock_guard lock(making_);
  return failure_;
}

void Fabric::quiesce(Rank me) noexcept {
  std::atomic<std::uint32_t>& own = shared(me).inside;
  const bool is_inside = own.load(std::memory_order_relaxed) != 0;
  heavy_barrier();
  if (is_inside) own.store(2, std::memory_order_release);
  const auto is_out = [&](std::uint32_t inside) { return inside == 0 || (is_inside && inside == 2); };
  for (Rank rank = 0; rank < nodes(); ++rank)
    while (rank != me && !is_out(shared(rank).inside.load(std::memory_order_seq_cst)))
      std::this_thread::yield();  // pairs with leave()
  if (is_inside) own.store(1, std::memory_order_release);
}

std::vector<Rank> Fabric::nodes_of(std::uint16_t context) const {
  const auto group = static_cast<std::uint16_t>(context & ~message_context);
  if (group == world().id()) return world().nodes();
  return options_.nodes_of ? options_.nodes_of(group) : std::vector<Rank>();
}

std::string Fabric::unreceived() {
  for (const ChannelRecord& made : made_) {
    Head head;
    if (!made.channel->front(head)) continue;
    return watch_->unreceived(made.to, made.from, head);
  }
  return {};
}

void Fabric::reset() {
  for (const ChannelRecord& made : made_) made.channel->clear();
  for (MemberState* state : member_states_) state->clear();
  world_->clear();
  for (SharedNodeState* shared : shared_) shared->journal.clear();
  cause_.clear();
  has_cause_ = false;
  failure_ = nullptr;
  told_ = false;
  different_.reset();
  aborted_.store(false, std::memory_order_relaxed);
}

void Fabric::end_run() {
  for (SharedNodeState* shared : shared_) shared->left.store(0, std::memory_order_relaxed);
  detector_.reset();
  const std::lock_guard lock(making_);
  statuses_.clear();
}

Guard::Guard(Fabric& fabric, Rank rank) : fabric_(fabric), rank_(rank) {
  if (!fabric.enter(rank)) fabric.throw_aborted();
}

}  // namespace vnode
