#pragma once

#include <functional>

#include "engine/engine.h"

namespace plenosr {

// job(tile, engine, progress) for the tiles 0 … tiles - 1. One engine works in the calling thread;
// several work in a thread each: equal engines take the next tile when they are free, of unlike
// ones tile i is always done by engine i mod n, so that a run gives the same bits again.
//
// `progress` is called in the calling thread, with the finished tiles of `stage`; once it returns
// false, the progress that jobs get does too, and Cancelled is thrown. The first exception of a job
// or of `progress` stops the others (`on_error` wakes those that wait for each other) and is thrown
// here after all threads have ended.
using TileJob = std::function<void(std::size_t tile, Engine& engine, const Progress& progress)>;
void for_each_tile(const Engines& engines, std::size_t tiles, const char* stage,
                   const Progress& progress, const TileJob& job,
                   const std::function<void()>& on_error);

}  // namespace plenosr
