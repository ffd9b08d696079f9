#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <string_view>
#include <vector>

#include "base/cancelled.h"
#include "plenosr/progress.h"

namespace plenosr::io {

// Calls body(i) for i = 0, ..., count - 1 in parallel. The calling thread reports progress between
// batches. Throws Cancelled if the callback returns false. Of several exceptions, the one with the
// smallest i is thrown, so that it does not depend on the threads.
template <class Body>
void for_each_view(std::size_t count, std::string_view stage, const Progress& progress, Body body) {
    // Threads wait for each other at the end of a batch. With 6 views per thread they wait for
    // about one view in six at most. Chosen by reasoning, not tuned.
    constexpr int views_per_thread = 6;
    const auto batch =
        std::size_t(std::max(1, views_per_thread * tbb::this_task_arena::max_concurrency()));
    const auto report_done = [&](std::size_t done) {
        if (!report(progress, {stage, int(done), int(count), 0})) throw Cancelled();
    };
    report_done(0);
    for (std::size_t begin = 0; begin < count; begin += batch) {
        const std::size_t end = std::min(begin + batch, count);
        std::vector<std::exception_ptr> failures(end - begin);
        tbb::parallel_for(begin, end, [&](std::size_t i) {
            try {
                body(i);
            } catch (...) {
                failures[i - begin] = std::current_exception();
            }
        });
        for (const std::exception_ptr& failure : failures) {
            if (failure) std::rethrow_exception(failure);
        }
        report_done(end);
    }
}

}  // namespace plenosr::io
