#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace plenosr::cpu {

// Threads of the CPU engine. Work is divided into ranges of rows (or of chunks of samples). Each
// row has its own sum, and rows are added in order, so no result depends on the number of threads.
class Parallel {
public:
    explicit Parallel(int threads);  // 0: one per core
    ~Parallel();

    int threads() const { return threads_; }

    // Runs fn() with its parallel loops restricted to these threads.
    template <class Fn>
    auto run(const Fn& fn) const {
        return arena_->execute(fn);
    }

    // fn(begin, end) on contiguous ranges that cover [0, n); a range is at least `grain` long.
    template <class Fn>
    void ranges(int n, int grain, const Fn& fn) const {
        const int parts = std::clamp(n / std::max(1, grain), 1, threads_ * ranges_per_thread);
        if (parts == 1 || threads_ == 1) {
            fn(0, n);
            return;
        }
        arena_->execute([&] {
            tbb::parallel_for(
                0, parts,
                [&](int i) {
                    fn(int(std::int64_t(n) * i / parts), int(std::int64_t(n) * (i + 1) / parts));
                },
                tbb::simple_partitioner());
        });
    }

    // sum over i in [0, n) of fn(i), added in the order of i.
    template <class Fn>
    double sum(int n, int grain, const Fn& fn) {
        if (partial_.size() < std::size_t(n)) partial_.resize(std::size_t(n));
        ranges(n, grain, [&](int begin, int end) {
            for (int i = begin; i < end; ++i)
                partial_[std::size_t(i)] = fn(i);
        });
        double total = 0;
        for (int i = 0; i < n; ++i)
            total += partial_[std::size_t(i)];
        return total;
    }

private:
    static constexpr int ranges_per_thread = 4;  // balances cores of unequal load
    struct Limit;                                // allows more threads than cores
    int threads_;
    std::unique_ptr<Limit> limit_;
    std::unique_ptr<tbb::task_arena> arena_;
    std::vector<double> partial_;
};

}  // namespace plenosr::cpu
