#include "devices/device_pool.h"

#include <exception>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace plenosr {

struct DevicePool::Content {
    std::mutex mutex;
    std::multimap<std::string, std::unique_ptr<Engine>> idle;

    std::unique_ptr<Engine> take(const std::string& key) {
        const std::scoped_lock lock(mutex);
        const auto found = idle.find(key);
        if (found == idle.end()) return nullptr;
        std::unique_ptr<Engine> engine = std::move(found->second);
        idle.erase(found);
        return engine;
    }
    void give_back(const std::string& key, std::unique_ptr<Engine> engine) {
        engine->report_compiling({});
        engine->restart_peaks();
        const std::scoped_lock lock(mutex);
        idle.emplace(key, std::move(engine));
    }
};

DevicePool::DevicePool() : content_(std::make_shared<Content>()) {}
DevicePool::~DevicePool() = default;

std::size_t DevicePool::idle() const {
    const std::scoped_lock lock(content_->mutex);
    return content_->idle.size();
}

std::shared_ptr<DevicePool::Content> content_of(const DevicePool& pool) {
    return pool.content_;
}

std::shared_ptr<Engine> lent_engine(const DevicePool& pool, const std::string& key,
                                    const std::function<std::unique_ptr<Engine>()>& open) {
    const std::shared_ptr<DevicePool::Content> content = content_of(pool);
    std::unique_ptr<Engine> engine = content->take(key);
    if (!engine) engine = open();
    const int failures = std::uncaught_exceptions();
    return {engine.release(), [content, key, failures](Engine* last) {
                std::unique_ptr<Engine> returned(last);
                const bool failed = std::uncaught_exceptions() > failures;
                if (!failed && returned->notes().empty())
                    content->give_back(key, std::move(returned));
            }};
}

}  // namespace plenosr
