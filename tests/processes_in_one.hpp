#pragma once

#include <barrier>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <vnode/error.hpp>

#include "channel/wire.hpp"

namespace vnode_test {

/// Describes what carries messages between processes that are threads of one, each with as many nodes and on
/// a machine of its own. A message has come as soon as it is sent.
class ProcessesInOne {
 public:
  explicit ProcessesInOne(int count, int nodes_each = 1)
      : meeting_(count), nodes_each_(nodes_each), brought_(static_cast<std::size_t>(count)) {
    for (int process = 0; process < count; ++process)
      transports_.push_back(std::make_unique<One>(*this, process));
  }
  vnode::Transport& transport(int process) { return *transports_[static_cast<std::size_t>(process)]; }
  int count() const { return static_cast<int>(brought_.size()); }
  /// The so-many-th poll of this process's first node from now on throws, once.
  void fail(int process, int poll) {
    transports_[static_cast<std::size_t>(process)]->nodes_.front().fail(poll);
  }

 private:
  using Bytes = std::vector<std::byte>;

  class End final : public vnode::Wire {
   public:
    explicit End(ProcessesInOne& all, int own) : all_(all), own_(own) {}
    bool send(vnode::Rank to, std::span<const std::byte> head, std::span<const std::byte> payload) override {
      Bytes bytes(head.begin(), head.end());
      bytes.insert(bytes.end(), payload.begin(), payload.end());
      End& other = all_.end(to);
      const std::lock_guard lock(other.mutex_);
      other.come_.push_back({own_, std::move(bytes)});
      return true;
    }
    bool tell(vnode::Rank to, std::span<const std::byte> head, std::span<const std::byte> payload) override {
      return send(to, head, payload);
    }
    std::uint64_t refused() const override { return 0; }
    std::uint32_t number(vnode::Rank, std::size_t) override { return ++numbers_; }
    void send(vnode::Rank to, std::uint32_t number, std::span<const std::byte> payload, bool,
              void* of) override {
      End& other = all_.end(to);
      const std::lock_guard lock(other.mutex_);
      other.long_[{own_, number}] = {payload.begin(), payload.end()};
      ended_.push_back(of);
    }
    void receive(vnode::Rank from, std::uint32_t number, std::span<std::byte> place, void* of) override {
      wanted_.push_back({from, number, place, of});
    }
    void cancel(void*) override {}
    bool poll(Events& events) override {
      if (until_failure_-- == 0) throw vnode::SystemError("the network is down");
      std::deque<std::pair<int, Bytes>> come;
      {
        const std::lock_guard lock(mutex_);
        come.swap(come_);
        std::erase_if(wanted_, [&](const Wanted& one) {
          const auto found = long_.find({one.from, one.number});
          if (found == long_.end()) return false;
          std::ranges::copy(found->second, one.place.begin());
          long_.erase(found);
          ended_.push_back(one.of);
          return true;
        });
      }
      for (const auto& [from, bytes] : come) events.arrived(from, bytes);
      for (void* const of : std::exchange(ended_, {})) events.ended(of, true);
      return false;
    }
    void fail(int poll) { until_failure_ = poll; }
    bool yields() const override { return false; }
    std::uint64_t sent(int) const override { return 0; }
    std::uint64_t received(int) const override { return 0; }

   private:
    struct Wanted {
      int from;
      std::uint32_t number;
      std::span<std::byte> place;
      void* of;
    };
    ProcessesInOne& all_;
    int own_;
    std::uint32_t numbers_ = 0;
    int until_failure_ = -1;
    std::vector<void*> ended_;
    std::vector<Wanted> wanted_;
    std::mutex mutex_;  // of what follows
    std::deque<std::pair<int, Bytes>> come_;
    std::map<std::pair<int, std::uint32_t>, Bytes> long_;
  };

  class One final : public vnode::Transport {
   public:
    One(ProcessesInOne& all, int own) : all_(all), own_(own), process_(all, own) {
      for (int node = 0; node < all.nodes_each_; ++node)
        nodes_.emplace_back(all, own * all.nodes_each_ + node);
    }
    int processes() const override { return all_.count(); }
    int process() const override { return own_; }
    int nodes(int) const override { return all_.nodes_each_; }
    int machine(int process) const override { return process; }
    std::string machine_name(int process) const override { return "m" + std::to_string(process); }
    vnode::Wire& wire(int node) override { return nodes_[static_cast<std::size_t>(node)]; }
    vnode::Wire& process_wire() override { return process_; }
    std::vector<Bytes> exchange(std::span<const std::byte> own, const std::function<void()>&) override {
      all_.brought_[static_cast<std::size_t>(own_)] = {own.begin(), own.end()};
      all_.meeting_.arrive_and_wait();
      std::vector<Bytes> all = all_.brought_;
      all_.meeting_.arrive_and_wait();
      return all;
    }
    std::string report() const override { return "threads"; }

   private:
    ProcessesInOne& all_;
    int own_;
    std::deque<End> nodes_;
    End process_;
    friend class ProcessesInOne;
  };

  End& end(vnode::Rank node) {
    return transports_[static_cast<std::size_t>(node / nodes_each_)]
        ->nodes_[static_cast<std::size_t>(node % nodes_each_)];
  }

  std::barrier<> meeting_;
  const int nodes_each_;
  std::vector<Bytes> brought_;
  std::vector<std::unique_ptr<One>> transports_;
};

}  // namespace vnode_test
