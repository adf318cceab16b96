#include "watch/remote_journals.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vnode {

void RemoteJournals::tell(MessageBuffer& said, const Journal& journal) {
  std::uint64_t number = 0;
  MessageBuffer calls;
  journal.each([&](std::uint16_t context, std::uint32_t call, const NotedCall& noted) {
    ++number;
    for (const std::uint64_t value :
         {std::uint64_t{context}, std::uint64_t{call}, std::uint64_t{noted.past}, std::uint64_t{noted.count},
          noted.kind->hash, std::uint64_t{noted.kind->counts}, static_cast<std::uint64_t>(noted.kind->root)})
      calls.add(value);
    for (const std::string_view text : {noted.kind->collective, noted.kind->algorithm, noted.kind->element,
                                        noted.kind->op, noted.kind->variant})
      calls.add(text);
  });
  said.add(number);
  said.add(calls);
}

void RemoteJournals::hear(MessageBuffer& said, Journal& journal) {
  for (std::uint64_t left = said.number(); left > 0; --left) {
    Kind& told = kinds_.emplace_back();
    const auto context = static_cast<std::uint16_t>(said.number());
    History history;
    history.call = static_cast<std::uint32_t>(said.number());
    history.hash = static_cast<std::uint32_t>(said.number());
    const auto count = static_cast<std::size_t>(said.number());
    told.kind.hash = said.number();
    told.kind.counts = said.number() != 0;
    told.kind.root = static_cast<Rank>(said.number());
    for (std::string* text : {&told.collective, &told.algorithm, &told.element, &told.op, &told.variant})
      *text = said.text();
    told.kind.collective = told.collective;
    told.kind.algorithm = told.algorithm;
    told.kind.element = told.element;
    told.kind.op = told.op;
    told.kind.variant = told.variant;
    journal.begin(context, history, {&told.kind, count});
  }
}

}  // namespace vnode
