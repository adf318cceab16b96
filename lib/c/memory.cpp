#include "c/memory.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <vector>

#include <vnode/placed_buffer.hpp>

#include "c/lists.hpp"
#include "c/team.hpp"
#include "c/untyped.hpp"

namespace vnode {
namespace {

PagePlacement placement_from(const vnode_page_placement* placement) {
  const auto given = taken(placement, "vnode_page_placement");
  PagePlacement made{.policy = enumerated<PagePolicy>(given.policy, 4, "vnode_page_policy"),
                     .huge_pages = enumerated<HugePages>(given.huge_pages, 4, "vnode_huge_pages"),
                     .alignment = given.alignment,
                     .strict = given.strict != 0};
  if (given.banks_count > 0)
    made.banks.assign(&needed(given.banks, "the list of NUMA nodes"), given.banks + given.banks_count);
  return made;
}

vnode_page_audit audit_from(const PageAudit& audit) {
  return {audit.untouched, audit.unknown, audit.touched()};
}

}  // namespace
}  // namespace vnode

using namespace vnode;

int vnode_buffer_create(vnode_buffer** buffer, size_t bytes, const vnode_page_placement* placement) {
  return entry([&] { put_handle(buffer, Pages(bytes, placement_from(placement))); });
}

int vnode_team_buffer(const vnode_team* team, int owner, size_t count, size_t element_bytes, int pieces,
                      vnode_buffer** buffer) {
  return entry([&] {
    if (element_bytes == 0 || count > std::numeric_limits<std::size_t>::max() / element_bytes)
      throw WrongArgument(fmt::format("a buffer cannot have {} elements of {} bytes", count, element_bytes));
    put_handle(buffer, Untyped::port_pages(at_handle(team).is, owner, count, element_bytes, pieces));
  });
}

int vnode_buffer_data(const vnode_buffer* buffer, void** data, size_t* bytes) {
  return entry([&] {
    const Pages& pages = at_handle(buffer).is;
    if (data != nullptr) *data = pages.data();
    if (bytes != nullptr) *bytes = pages.bytes();
  });
}

int vnode_buffer_place(vnode_buffer* buffer, size_t first, size_t bytes,
                       const vnode_page_placement* placement) {
  return entry([&] { at_handle(buffer).is.place(first, bytes, placement_from(placement)); });
}

int vnode_buffer_claim(vnode_buffer* buffer, size_t first, size_t bytes) {
  return entry([&] { at_handle(buffer).is.claim(first, bytes); });
}

int vnode_buffer_touch(vnode_buffer* buffer) {
  return entry([&] { at_handle(buffer).is.touch(); });
}

int vnode_buffer_degraded(const vnode_buffer* buffer, int index, const char** sentence) {
  return entry([&] {
    const std::vector<std::string>& refusals = at_handle(buffer).is.degraded();
    if (sentence != nullptr) *sentence = numbered(refusals, index, "refusal").c_str();
    return static_cast<int>(refusals.size());
  });
}

int vnode_buffer_free(vnode_buffer** buffer) {
  return entry([&] { end_handle(buffer); });
}

int vnode_audit_pages(const void* first, size_t bytes, vnode_page_audit* audit, size_t* on, int room) {
  return entry([&] {
    if (bytes > 0) needed(static_cast<const std::byte*>(first), "the memory");
    const PageAudit found = audit_pages(first, bytes);
    if (audit != nullptr) *audit = audit_from(found);
    for (int bank = 0; bank < room; ++bank)
      (&needed(on, "the list of NUMA nodes"))[bank] = found.on_bank(bank);
    return static_cast<int>(found.on.size());
  });
}

int vnode_team_memory(const vnode_team* team, vnode_memory_visitor visit, void* user) {
  return entry([&] {
    const Team& of = at_handle(team).is;
    if (visit == nullptr) throw WrongArgument("the visitor is NULL");
    for (const OwnedMemory& memory : of.memory()) {
      std::vector<const char*> degraded;
      for (const std::string& sentence : memory.degraded) degraded.push_back(sentence.c_str());
      const vnode_owned_memory shown{.owner = memory.owner,
                                     .scratch = memory.scratch ? 1 : 0,
                                     .bank = memory.bank,
                                     .on = memory.pages.on.data(),
                                     .on_count = memory.pages.on.size(),
                                     .pages = audit_from(memory.pages),
                                     .degraded = degraded.data(),
                                     .degraded_count = degraded.size()};
      if (const int code = visit(user, &shown); code != 0) throw_code(code, "the visitor");
    }
  });
}
