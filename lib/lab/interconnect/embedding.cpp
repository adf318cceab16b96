#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/lab/embedding.hpp>

#include "base/counted.hpp"

namespace vnode {
namespace {

/// The images of both ends of every directed link.
template <class Visit>
void for_each_way(const Embedding& embedding, Visit visit) {
  const auto image = [&](int node) { return embedding.images()[static_cast<std::size_t>(node)]; };
  for (int link = 0; link < embedding.guest().directed_links(); ++link) {
    const auto [from, to] = embedding.guest().ends(link);
    visit(image(from), image(to));
  }
}

}  // namespace

Embedding::Embedding(const Topology& guest, const Topology& host, std::vector<Rank> images)
    : guest_(guest), host_(host), images_(std::move(images)) {
  if (guest.vertices() > guest.nodes())
    throw UsageError(fmt::format("{} cannot be embedded: its switches would have no image", guest.text()));
  if (images_.size() != static_cast<std::size_t>(guest.nodes()))
    throw UsageError(fmt::format("an embedding needs one image for each of {}, not {}",
                                 counted(guest.nodes(), "node"), images_.size()));
  std::vector<bool> taken(static_cast<std::size_t>(host.nodes()));
  for (const Rank image : images_) {
    if (image < 0 || image >= host.nodes())
      throw UsageError(
          fmt::format("{} cannot be an image: the host's nodes are 0 to {}", image, host.nodes() - 1));
    if (taken[static_cast<std::size_t>(image)])
      throw UsageError(fmt::format("{} is the image of two nodes: every node needs one of its own", image));
    taken[static_cast<std::size_t>(image)] = true;
  }
}

int Embedding::dilation() const {
  int dilation = 0;
  for_each_way(*this, [&](Rank from, Rank to) { dilation = std::max(dilation, host_.distance(from, to)); });
  return dilation;
}

int Embedding::congestion(Routing routing) const {
  std::vector<int> load(static_cast<std::size_t>(host_.directed_links()));
  std::vector<int> route;
  int congestion = 0;
  for_each_way(*this, [&](Rank from, Rank to) {
    route.clear();
    host_.append_route(from, to, routing, route);
    for (const int link : route) congestion = std::max(congestion, ++load[static_cast<std::size_t>(link)]);
  });
  return congestion;
}

}  // namespace vnode
