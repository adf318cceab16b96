#pragma once

#include <doctest/doctest.h>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/vnode.h>

namespace vnode_test {

/// Is a team of vnode.h's for as long as it lives.
class CTeam {
 public:
  explicit CTeam(int nodes, const char* shape = nullptr, vnode_team_options options = {}) {
    options.size = sizeof options;
    if (options.time_limit == 0) options.time_limit = 60;
    REQUIRE_MESSAGE(vnode_team_create(&team_, nodes, shape, &options) == VNODE_OK, vnode_message());
  }
  ~CTeam() { vnode_team_free(&team_); }
  CTeam(const CTeam&) = delete;
  CTeam& operator=(const CTeam&) = delete;
  operator vnode_team*() const { return team_; }

  /// Runs body(me) on every node, which returns a code.
  int run(const std::function<int(vnode_node*)>& body) const {
    return vnode_team_run(
        team_,
        [](vnode_node* me, void* user) {
          return (*static_cast<const std::function<int(vnode_node*)>*>(user))(me);
        },
        const_cast<void*>(static_cast<const void*>(&body)));
  }
  /// Joins body(me) on as many threads as there are nodes; returns the codes, those of the body before those
  /// of leaving.
  std::vector<std::pair<int, std::string>> join(
      const std::function<int(vnode_membership**, vnode_node*)>& body) const {
    std::vector<std::pair<int, std::string>> told(static_cast<std::size_t>(vnode_team_size(team_)));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < told.size(); ++i)
      threads.emplace_back([&, i] {
        vnode_membership* membership = nullptr;
        vnode_node* me = nullptr;
        int code = vnode_team_join(team_, static_cast<int>(i), &membership, &me);
        if (code == VNODE_OK) code = body(&membership, me);
        std::string sentence = code == VNODE_OK ? "" : vnode_message();
        if (const int left = vnode_membership_leave(&membership); code == VNODE_OK && left != VNODE_OK) {
          code = left;
          sentence = vnode_message();
        }
        told[i] = {code, sentence};
      });
    for (std::thread& thread : threads) thread.join();
    return told;
  }

 private:
  vnode_team* team_ = nullptr;
};

/// Returns what is wrong, for CHECK: "" if nothing is.
inline std::string wrong(int code) {
  return code == VNODE_OK ? "" : std::string(vnode_status_name(code)) + ": " + vnode_message();
}

}  // namespace vnode_test
