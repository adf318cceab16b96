#pragma once

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "belongings.hpp"
#include "given_machine.hpp"

/// This machine, described anew for as long as this lives: with two PUs that this process may use.
class TwoPus {
 public:
  /// `above` is what hwloc's text says of all that is above the PUs: "numa:2 core:1".
  explicit TwoPus(const std::string& above) : machine_(description(above).c_str(), true) {}
  /// Whether there are two; if not, it has been said that what follows is left out.
  explicit operator bool() const {
    if (pus_.size() < 2) MESSAGE("not tried: it takes two PUs, and this process may use one");
    return pus_.size() >= 2;
  }

 private:
  std::string description(const std::string& above) const {
    return above + " pu:1(indexes=" + std::to_string(pus_.front()) + ',' + std::to_string(pus_.back()) + ')';
  }

  std::vector<int> pus_ = vnode_test::affinity_here();
  vnode_test::GivenMachine machine_;
};
