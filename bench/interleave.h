#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace plenosr::bench {

// Seconds of wall time, or of processor time, which is meaningful on a busy machine too if only one
// thread is used.
inline bool use_cpu_time = false;
inline double now() {
    if (use_cpu_time) return double(std::clock()) / CLOCKS_PER_SEC;
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Mean seconds of `repeat` calls of fn, after one call that warms the caches and is not counted.
template <class Fn>
double seconds_of(int repeat, const Fn& fn) {
    fn();
    const double start = now();
    for (int i = 0; i < repeat; ++i)
        fn();
    return (now() - start) / repeat;
}

struct Timing {
    std::string name;
    double best = 0;  // seconds
    double median = 0;
};

// Contestants that take turns, round by round. A disturbance of the machine affects all of them,
// and the best round of each is one without a disturbance.
class Interleave {
public:
    // `run` makes one measurement and returns its seconds.
    void add(std::string name, std::function<double()> run) {
        contestants_.push_back({std::move(name), std::move(run)});
    }

    std::vector<Timing> run(int rounds) const {
        std::vector<std::vector<double>> seconds(contestants_.size());
        for (int round = 0; round < rounds; ++round)
            for (std::size_t i = 0; i < contestants_.size(); ++i)
                seconds[i].push_back(contestants_[i].run());
        std::vector<Timing> timings;
        for (std::size_t i = 0; i < contestants_.size(); ++i) {
            std::sort(seconds[i].begin(), seconds[i].end());
            timings.push_back(
                {contestants_[i].name, seconds[i].front(), seconds[i][seconds[i].size() / 2]});
        }
        return timings;
    }

private:
    struct Contestant {
        std::string name;
        std::function<double()> run;
    };
    std::vector<Contestant> contestants_;
};

}  // namespace plenosr::bench
