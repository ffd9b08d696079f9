#include "finished_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/cache.h"
#include "base/sha256.h"
#include "devices/make_engines.h"
#include "plenosr/commit.h"
#include "plenosr/options.h"
#include "plenosr/version.h"

namespace plenosr {
namespace {

std::string_view bytes_of(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

std::string hash(const Image& image) {
    return fmt::format("{}x{}x{} {}", image.width, image.height, image.channels,
                       sha256_text(bytes_of(image.values)));
}

}  // namespace

FinishedViews::FinishedViews(const LightFieldView& light_field, const std::vector<Image>& maps,
                             const AllViewsOptions& o, const Engines& engines)
    : folder_(o.state),
      width_(light_field.width() * o.reconstruct.scale),
      height_(light_field.height() * o.reconstruct.scale),
      channels_(light_field.channels()) {
    if (folder_.empty()) return;
    fingerprint_ =
        fmt::format("plenosr {} commit {} all views {} estimated {}\ninstructions {}\n",
                    PLENOSR_VERSION, PLENOSR_COMMIT, o.views, o.estimated, instruction_set());
    for (const auto& engine : engines)
        fingerprint_ += fmt::format("device {}\n", engine->name());
    for (const auto& option : reconstruct_options())
        fingerprint_ += fmt::format("{} {}\n", option.name, option.show(o.reconstruct));
    for (const ViewPosition position : o.left_out)
        fingerprint_ += fmt::format("without {}\n", to_string(position));
    // The options name files of PSFs; here is their content.
    const PsfGrid psfs = make_psf_grid(o.reconstruct.blur, o.reconstruct.scale);
    fingerprint_ += fmt::format("psfs {} x {}\n", psfs.rows, psfs.cols);
    for (const Psf& psf : psfs.nodes)
        fingerprint_ += hash(psf.kernel) + "\n";
    for (std::size_t i = 0; i < maps.size(); ++i)
        fingerprint_ += fmt::format("{} {} {}\n", to_string(light_field.views[i].position),
                                    hash(to_image(light_field.views[i].image)), hash(maps[i]));
}

std::string FinishedViews::key(ViewPosition position) const {
    return fingerprint_ + to_string(position);
}

// The image, the map and the number of rounds, one after the other.
std::optional<FinishedView> FinishedViews::load(ViewPosition position) const {
    if (folder_.empty()) return std::nullopt;
    FinishedView view{Image(width_, height_, channels_), Image(width_, height_)};
    float refinements = 0;
    const std::size_t image = view.image.values.size() * sizeof(float);
    const std::size_t map = view.disparity.values.size() * sizeof(float);
    const std::size_t size = image + map + sizeof(refinements);
    const auto bytes = cache::load(folder_, key(position), size);
    if (!bytes || bytes->size() != size) return std::nullopt;
    std::memcpy(view.image.values.data(), bytes->data(), image);
    std::memcpy(view.disparity.values.data(), bytes->data() + image, map);
    std::memcpy(&refinements, bytes->data() + image + map, sizeof(refinements));
    view.refinements = int(refinements);
    return view;
}

void FinishedViews::store(ViewPosition position, const FinishedView& view) const {
    if (folder_.empty()) return;
    const std::vector<float> refinements{float(view.refinements)};
    std::string bytes;
    bytes.reserve(sizeof(float) *
                  (view.image.values.size() + view.disparity.values.size() + refinements.size()));
    for (const auto* values : {&view.image.values, &view.disparity.values, &refinements})
        bytes += bytes_of(*values);
    cache::store(folder_, key(position), bytes);
}

}  // namespace plenosr
