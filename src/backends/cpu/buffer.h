#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>

#include "base/memory_count.h"

namespace plenosr::cpu {

// Aligned memory of a fixed size, initially zero. The owner documents the contents.
template <class T>
class Buffer {
public:
    Buffer() = default;
    explicit Buffer(std::size_t size) : size_(size), charge_(bytes_for(size)) {
        if (size == 0) return;
        data_ = hwy::AllocateAligned<T>(size);
        if (!data_) throw std::bad_alloc();
        std::fill_n(data_.get(), size_, T{});
    }

    // Bytes of a buffer of `size` elements: what the constructor charges, and what plans add up.
    static constexpr std::size_t bytes_for(std::size_t size) { return size * sizeof(T); }

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return bytes_for(size_); }
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    std::span<const T> view() const { return {data(), size_}; }
    std::span<T> view() { return {data(), size_}; }

private:
    std::size_t size_ = 0;
    Charge charge_;
    hwy::AlignedFreeUniquePtr<T[]> data_;
};

using Vector = Buffer<float>;

}  // namespace plenosr::cpu
