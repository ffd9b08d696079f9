#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace plenosr {

// Bytes that are in use, and their peak. What is big is counted, not every small vector.
class MemoryCount {
public:
    void take(std::size_t bytes) {
        const std::size_t now = live_.fetch_add(bytes) + bytes;
        std::size_t peak = peak_.load();
        while (now > peak && !peak_.compare_exchange_weak(peak, now)) {
        }
    }
    void give(std::size_t bytes) { live_.fetch_sub(bytes); }
    std::size_t live() const { return live_.load(); }
    std::size_t peak() const { return peak_.load(); }

    // The count that allocations of this thread go to; null: nobody counts.
    static MemoryCount*& current() {
        static thread_local MemoryCount* count = nullptr;
        return count;
    }

private:
    std::atomic<std::size_t> live_{0};
    std::atomic<std::size_t> peak_{0};
};

// Makes `count` the thread's current one while it lives.
class CountedScope {
public:
    explicit CountedScope(MemoryCount& count)
        : before_(std::exchange(MemoryCount::current(), &count)) {}
    ~CountedScope() { MemoryCount::current() = before_; }
    CountedScope(const CountedScope&) = delete;
    CountedScope& operator=(const CountedScope&) = delete;

private:
    MemoryCount* before_;
};

// Some bytes of the thread's current count, for as long as this lives.
class Charge {
public:
    Charge() = default;
    explicit Charge(std::size_t bytes) : count_(MemoryCount::current()), bytes_(bytes) {
        if (count_ != nullptr) count_->take(bytes_);
    }
    Charge(Charge&& other) noexcept
        : count_(std::exchange(other.count_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    Charge& operator=(Charge&& other) noexcept {
        std::swap(count_, other.count_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~Charge() {
        if (count_ != nullptr) count_->give(bytes_);
    }

private:
    MemoryCount* count_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace plenosr
