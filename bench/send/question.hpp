#pragma once

#include "measure/contestant.hpp"
#include "questions/setting.hpp"

namespace vnode::bench {

Question send_question(const Setting& setting);

}  // namespace vnode::bench
