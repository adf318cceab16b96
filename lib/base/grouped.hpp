#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace vnode {

/// Returns groups of the members with equal key(member), in the order of their first members.
template <class Key>
std::vector<std::vector<int>> grouped(const std::vector<int>& members, const Key& key) {
  std::vector<std::vector<int>> groups;
  std::map<decltype(key(0)), std::size_t> places;
  for (const int member : members) {
    const auto [place, is_new] = places.emplace(key(member), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(member);
  }
  return groups;
}

}  // namespace vnode
