// For the thread sanitizer, which does not see the inside of libtbb: reports what happens before
// what. These functions of libtbb are replaced in the program by ones that note the order and call
// the original. Without them every value that a task reads would count as a race.
#include <dlfcn.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstdlib>

extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);

namespace tbb::detail {
namespace {

template <class Function>
Function original(const char* mangled) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, mangled));
}

// What precedes a spawn happens before the task, whichever thread runs it.
class Ordered final : public d1::task {
public:
    explicit Ordered(d1::task& ordered) : ordered_(ordered) { __tsan_release(this); }
    d1::task* execute(d1::execution_data& data) override { return taken().execute(data); }
    d1::task* cancel(d1::execution_data& data) override { return taken().cancel(data); }

private:
    d1::task& taken() {
        __tsan_acquire(this);
        d1::task& ordered = ordered_;
        delete this;
        return ordered;
    }

    d1::task& ordered_;
};

class OrderedDelegate final : public d1::delegate_base {
public:
    explicit OrderedDelegate(d1::delegate_base& delegate) : delegate_(delegate) {
        __tsan_release(this);
    }
    bool operator()() const override {
        void* self = const_cast<OrderedDelegate*>(this);
        __tsan_acquire(self);
        const bool result = delegate_();
        __tsan_release(self);
        return result;
    }

private:
    d1::delegate_base& delegate_;
};

// Tasks that end count down the second word of the context that is waited for.
void* counter_of(d1::wait_context& context) {
    return reinterpret_cast<char*>(&context) + sizeof(std::uint64_t);
}

}  // namespace

namespace r1 {

void spawn(d1::task& task, d1::task_group_context& context) {
    static const auto call = original<void (*)(d1::task&, d1::task_group_context&)>(
        "_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextE");
    call(*new Ordered(task), context);
}

void spawn(d1::task& task, d1::task_group_context& context, d1::slot_id slot) {
    static const auto call = original<void (*)(d1::task&, d1::task_group_context&, d1::slot_id)>(
        "_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextEt");
    call(*new Ordered(task), context, slot);
}

void execute_and_wait(d1::task& task, d1::task_group_context& context, d1::wait_context& waited,
                      d1::task_group_context& waited_context) {
    static const auto call = original<void (*)(d1::task&, d1::task_group_context&,
                                               d1::wait_context&, d1::task_group_context&)>(
        "_ZN3tbb6detail2r116execute_and_waitERNS0_2d14taskERNS2_18task_group_contextERNS2_"
        "12wait_contextES6_");
    call(task, context, waited, waited_context);
    __tsan_acquire(counter_of(waited));
}

void wait(d1::wait_context& waited, d1::task_group_context& context) {
    static const auto call = original<void (*)(d1::wait_context&, d1::task_group_context&)>(
        "_ZN3tbb6detail2r14waitERNS0_2d112wait_contextERNS2_18task_group_contextE");
    call(waited, context);
    __tsan_acquire(counter_of(waited));
}

void execute(d1::task_arena_base& arena, d1::delegate_base& delegate) {
    static const auto call = original<void (*)(d1::task_arena_base&, d1::delegate_base&)>(
        "_ZN3tbb6detail2r17executeERNS0_2d115task_arena_baseERNS2_13delegate_baseE");
    OrderedDelegate ordered(delegate);
    call(arena, ordered);
    __tsan_acquire(&ordered);
}

// libtbb hands the memory of tasks from thread to thread.
void* allocate(d1::small_object_pool*&, std::size_t bytes, const d1::execution_data&) {
    return std::aligned_alloc(64, (bytes + 63) / 64 * 64);
}
void* allocate(d1::small_object_pool*&, std::size_t bytes) {
    return std::aligned_alloc(64, (bytes + 63) / 64 * 64);
}
void deallocate(d1::small_object_pool&, void* memory, std::size_t, const d1::execution_data&) {
    std::free(memory);
}
void deallocate(d1::small_object_pool&, void* memory, std::size_t) {
    std::free(memory);
}

}  // namespace r1
}  // namespace tbb::detail
