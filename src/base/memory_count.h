#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace plenosr {

// Counts the bytes in use and their peak. Only large allocations are counted. Copies share one
// count, which lives as long as anything that was counted (threads keep scratch memory).
class MemoryCount {
public:
    void take(std::size_t bytes) const {
        const std::size_t now = state_->live.fetch_add(bytes) + bytes;
        std::size_t peak = state_->peak.load();
        while (now > peak && !state_->peak.compare_exchange_weak(peak, now)) {
        }
    }
    void give(std::size_t bytes) const { state_->live.fetch_sub(bytes); }
    std::size_t live() const { return state_->live.load(); }
    std::size_t peak() const { return state_->peak.load(); }
    void restart_peak() const { state_->peak.store(live()); }

private:
    struct State {
        std::atomic<std::size_t> live{0};
        std::atomic<std::size_t> peak{0};
    };
    std::shared_ptr<State> state_ = std::make_shared<State>();

    friend class CountedScope;
    friend class Charge;
    explicit MemoryCount(std::shared_ptr<State> state) : state_(std::move(state)) {}
    // The count for allocations of this thread; null if nothing is counted.
    static std::shared_ptr<State>& current() {
        static thread_local std::shared_ptr<State> count;
        return count;
    }

public:
    MemoryCount() = default;
};

// Makes `count` the current count of this thread during its own lifetime.
class CountedScope {
public:
    explicit CountedScope(const MemoryCount& count)
        : before_(std::exchange(MemoryCount::current(), count.state_)) {}
    ~CountedScope() { MemoryCount::current() = std::move(before_); }
    CountedScope(const CountedScope&) = delete;
    CountedScope& operator=(const CountedScope&) = delete;

private:
    std::shared_ptr<MemoryCount::State> before_;
};

// Adds bytes to the thread's current count during its own lifetime.
class Charge {
public:
    Charge() = default;
    explicit Charge(std::size_t bytes) { resize(bytes); }
    Charge(Charge&& other) noexcept { *this = std::move(other); }
    Charge& operator=(Charge&& other) noexcept {
        std::swap(count_, other.count_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~Charge() {
        if (count_) MemoryCount(count_).give(bytes_);
    }
    void resize(std::size_t bytes) {
        if (!count_) count_ = MemoryCount::current();
        if (!count_) return;
        const MemoryCount count(count_);
        if (bytes > bytes_) count.take(bytes - bytes_);
        if (bytes < bytes_) count.give(bytes_ - bytes);
        bytes_ = bytes;
    }

private:
    std::shared_ptr<MemoryCount::State> count_;
    std::size_t bytes_ = 0;
};

}  // namespace plenosr
