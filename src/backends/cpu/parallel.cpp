#include "backends/cpu/parallel.h"

#include <tbb/global_control.h>
#include <tbb/info.h>

namespace plenosr::cpu {

struct Parallel::Limit {
    tbb::global_control control;
    explicit Limit(int threads)
        : control(tbb::global_control::max_allowed_parallelism, std::size_t(threads)) {}
};

Parallel::Parallel(int threads)
    : threads_(threads > 0 ? threads : tbb::info::default_concurrency()),
      limit_(threads_ > tbb::info::default_concurrency() ? std::make_unique<Limit>(threads_)
                                                         : nullptr),
      arena_(std::make_unique<tbb::task_arena>(threads_)) {}

Parallel::~Parallel() = default;

}  // namespace plenosr::cpu
