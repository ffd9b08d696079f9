#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/engine.h"
#include "plenosr/devices.h"

namespace plenosr {

// An idle engine of the pool with this key, or the one that open() returns. It goes back to the
// pool when its last owner drops it, unless a job failed with it or it has notes: a fallback that
// one job needed would change the results of others.
std::shared_ptr<Engine> lent_engine(const DevicePool& pool, const std::string& key,
                                    const std::function<std::unique_ptr<Engine>()>& open);

}  // namespace plenosr
