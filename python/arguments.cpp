#include "arguments.h"

#include <nanobind/stl/string.h>

#include <mutex>

#include "plenosr/error.h"

namespace plenosr::python {

namespace {

struct SharedPool {
    std::mutex mutex;
    std::shared_ptr<DevicePool> pool;
};

// Not destroyed at exit, when drivers may be gone; release_devices() is called before.
SharedPool& shared_pool() {
    static auto* const pool = new SharedPool();
    return *pool;
}

}  // namespace

std::shared_ptr<DevicePool> open_devices() {
    SharedPool& shared = shared_pool();
    const std::scoped_lock lock(shared.mutex);
    if (!shared.pool) shared.pool = std::make_shared<DevicePool>();
    return shared.pool;
}

void release_devices() {
    SharedPool& shared = shared_pool();
    const std::scoped_lock lock(shared.mutex);
    shared.pool.reset();
}

ReconstructOptions solver_options(const Given& given, const std::optional<DegradeOptions>& record,
                                  const std::vector<Option<ReconstructOptions>>& list) {
    require_one_psf(given);
    ReconstructOptions options = with(with_record(ReconstructOptions(), record), given, list);
    options.validate();
    options.devices = open_devices();
    return options;
}

std::optional<DegradeOptions> record_of(const LightFieldIndex& index) {
    if (!index.degradation) return std::nullopt;
    return index.degradation->options;
}

ViewChoice view_choice(const std::string& view, const std::string& views,
                       const nb::object& disparity, const std::string& disparity_from) {
    ViewChoice choice{view, views, {}, disparity_from, {}};
    if (nb::isinstance<nb::str>(disparity))
        choice.disparity = nb::cast<std::string>(disparity);
    else if (!disparity.is_none())
        choice.map = map_from(nb::cast<Array>(disparity), "The disparity map");
    return choice;
}

DenoiserFunction denoiser_from(const nb::object& function) {
    if (function.is_none()) return {};
    // Options are copied by threads that do not hold the interpreter's lock: only the last owner of
    // the function releases it.
    const std::shared_ptr<nb::object> kept(new nb::object(function), [](nb::object* last) {
        const nb::gil_scoped_acquire acquire;
        delete last;
    });
    return [kept](const Image& image, double sigma) {
        const nb::gil_scoped_acquire acquire;
        const nb::object result = (*kept)(array_of(image), sigma);
        Array array;
        if (!nb::try_cast(result, array))
            throw Error(ErrorKind::input, "The denoiser did not return an array.");
        return image_from(array, 255.0, "The result of the denoiser");
    };
}

Image picture_from(const nb::object& given, std::optional<double> white, const std::string& name) {
    if (given.is_none()) return {};
    if (nb::isinstance<nb::str>(given)) return read_image(nb::cast<std::string>(given));
    return image_from(nb::cast<Array>(given), white, name);
}

}  // namespace plenosr::python
