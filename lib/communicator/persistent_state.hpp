#pragma once

#include <memory>

#include <vnode/request.hpp>

#include "communicator/collective_activity.hpp"
#include "communicator/engine.hpp"

namespace vnode {

/// A planned call, and who drives it.
struct Persistent::State {
  State(std::unique_ptr<CollectiveActivity> activity_, Engine& engine_)
      : activity(std::move(activity_)), engine(engine_) {}
  std::unique_ptr<CollectiveActivity> activity;
  Engine& engine;
};

}
