#include "tiles/work_queue.h"
#include "base/cancelled.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace plenosr {
namespace {

void one_after_the_other(Engine& engine, std::size_t tiles, const char* stage,
                         const Progress& progress, const TileJob& job) {
    for (std::size_t i = 0; i < tiles; ++i) {
        const Progress within = [&](const ProgressEvent&) {
            return report(progress, {stage, int(i), int(tiles), 0});
        };
        if (!within({})) throw Cancelled();
        job(i, engine, within);
    }
    if (!report(progress, {stage, int(tiles), int(tiles), 0})) throw Cancelled();
}

}  // namespace

void for_each_tile(const Engines& engines, std::size_t tiles, const char* stage,
                   const Progress& progress, const TileJob& job,
                   const std::function<void()>& on_error) {
    if (tiles == 1) return job(0, *engines.front(), progress);
    if (engines.size() == 1)
        return one_after_the_other(*engines.front(), tiles, stage, progress, job);

    const bool equal = std::all_of(engines.begin(), engines.end(), [&](const auto& engine) {
        return engine->name() == engines.front()->name();
    });
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<bool> stop{false};
    std::atomic<std::size_t> next{0};
    std::size_t done = 0;
    std::size_t working = engines.size();
    std::exception_ptr error;
    const Progress within = [&](const ProgressEvent&) { return !stop.load(); };

    const auto work = [&](std::size_t worker) {
        try {
            for (std::size_t i = equal ? next++ : worker; i < tiles && !stop;
                 i = equal ? next++ : i + engines.size()) {
                job(i, *engines[worker], within);
                const std::scoped_lock lock(mutex);
                ++done;
                changed.notify_all();
            }
        } catch (...) {
            const std::scoped_lock lock(mutex);
            if (!error) error = std::current_exception();  // later ones follow from the first
            stop = true;
        }
        if (stop) on_error();
        const std::scoped_lock lock(mutex);
        --working;
        changed.notify_all();
    };
    std::vector<std::thread> threads;
    for (std::size_t worker = 0; worker < engines.size(); ++worker)
        threads.emplace_back(work, worker);
    std::exception_ptr callback_error;
    // False if the job is to end. The threads are joined before an exception of the callback
    // leaves.
    const auto reported = [&](std::size_t finished) {
        const bool compiling = std::any_of(engines.begin(), engines.end(),
                                           [](const auto& engine) { return engine->compiling(); });
        try {
            return report(progress, compiling ? ProgressEvent{"compiling kernels", 0, 0, 0}
                                              : ProgressEvent{stage, int(finished), int(tiles), 0});
        } catch (...) {
            callback_error = std::current_exception();
            return false;
        }
    };
    bool cancelled = false;
    {
        std::unique_lock lock(mutex);
        while (working > 0) {
            changed.wait_for(lock, std::chrono::milliseconds(50));
            const std::size_t finished = done;
            lock.unlock();
            if (!cancelled && !reported(finished)) {
                cancelled = true;
                stop = true;
                on_error();
            }
            lock.lock();
        }
    }
    for (std::thread& thread : threads)
        thread.join();
    if (!cancelled && !error && !reported(tiles)) cancelled = true;
    if (callback_error) std::rethrow_exception(callback_error);
    if (cancelled) throw Cancelled();
    if (error) std::rethrow_exception(error);
}

}  // namespace plenosr
