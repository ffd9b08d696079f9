#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/file_errors.h"
#include "io/formats.h"
#include "io/image_file.h"
#include "io/memory_limit.h"
#include "io/view_batches.h"
#include "plenosr/io.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

constexpr const char* kind = "light field";

const LightFieldIndex::Entry& entry_at(const LightFieldIndex& index, ViewPosition position) {
    const LightFieldIndex::Entry* found = index.find(position);
    if (found == nullptr)
        refuse_file(index.path, fmt::format("it has no view at {}", to_string(position)), kind);
    return *found;
}

void require_equal_sizes(const std::vector<const LightFieldIndex::Entry*>& entries,
                         const std::vector<View>& views) {
    const Image& first = views.front().image;
    for (std::size_t i = 1; i < views.size(); ++i) {
        const Image& image = views[i].image;
        if (!image.same_size(first) || image.channels != first.channels)
            io::refuse_view(*entries[i], io::different_size(image, first, entries.front()->file));
    }
}

Image cropped(const LightFieldIndex& index, const LightFieldIndex::Entry& entry, Image image) {
    const Box used = index.used_part();
    if (used.width == 0) return image;
    if (!Box{0, 0, image.width, image.height}.contains(used))
        io::refuse_view(entry, fmt::format("it has {}x{} pixels, too few for a crop of {}x{} at "
                                           "{},{}",
                                           image.width, image.height, used.width, used.height,
                                           used.x0, used.y0));
    return crop(image, used);
}

void require_memory_for(const LightFieldIndex& index, std::size_t views) {
    const int channels = index.image.channels > 2 ? 3 : 1;
    io::require_memory(
        index.path, fmt::format("{} views", views),
        double(views) * index.image.width * index.image.height * channels * sizeof(float),
        io::memory_limit(index.memory_limit));
}

}  // namespace

LightField read_light_field(const LightFieldIndex& index,
                            const std::vector<ViewPosition>& positions, const Progress& progress) {
    std::vector<const LightFieldIndex::Entry*> entries;
    for (const ViewPosition position : positions.empty() ? index.positions() : positions) {
        entries.push_back(&entry_at(index, position));
    }
    if (entries.empty()) refuse_file(index.path, "it holds no view", kind);
    require_memory_for(index, entries.size());
    const io::ViewReader read = io::view_reader(index);
    LightField light_field;
    light_field.grid = index.grid;
    light_field.views.resize(entries.size());
    io::for_each_view(entries.size(), "reading", progress, [&](std::size_t i) {
        light_field.views[i] = {entries[i]->position,
                                cropped(index, *entries[i], read(*entries[i]))};
    });
    require_equal_sizes(entries, light_field.views);
    light_field.validate();
    // degrade() clips, and its record says so of float files, too.
    light_field.clipped = index.image.format != PixelFormat::float32 ||
                          index.degradation.has_value() || shows_clipping(light_field);
    return light_field;
}

struct StoredViews::State {
    LightFieldIndex index;
    std::once_flag opened;
    io::ViewReader read;
};

StoredViews::StoredViews(LightFieldIndex index) : state_(std::make_shared<State>()) {
    state_->index = std::move(index);
}

Image StoredViews::read(ViewPosition position) const {
    State& s = *state_;
    const LightFieldIndex::Entry& entry = entry_at(s.index, position);
    require_memory_for(s.index, 1);
    std::call_once(s.opened, [&] { s.read = io::view_reader(s.index); });
    return cropped(s.index, entry, s.read(entry));
}

Image read_disparity(const LightFieldIndex& index, ViewPosition position) {
    const fs::path file = index.disparity_of(position);
    if (file.empty())
        refuse_file(index.path,
                    fmt::format("it holds no disparity map of the view {}", to_string(position)),
                    kind);
    const io::LightFieldFormat* format = io::find_format(index.format);
    const bool inside = format != nullptr && format->read_disparity && file == index.path;
    Image map =
        inside ? format->read_disparity(index, entry_at(index, position)) : read_disparity(file);
    const double unit = index.disparity_per_width ? double(map.width) : 1.0;
    const double factor = index.disparity_factor * unit;
    if (factor != 1) {
        for (float& value : map.values)
            value = float(double(value) * factor);
    }
    const Box& c = index.crop;
    const bool of_whole_file = c.width > 0 && map.width >= c.x1() && map.height >= c.y1() &&
                               !(map.width == c.width && map.height == c.height);
    return part_of(index, of_whole_file ? crop(map, c) : std::move(map),
                   "the disparity map " + file.string());
}

Image part_of(const LightFieldIndex& index, Image picture, const std::string& name) {
    const Box& part = index.part;
    if (part.width == 0) return picture;
    const int factor = index.whole.width > 0 ? picture.width / index.whole.width : 0;
    const Box box{factor * part.x0, factor * part.y0, factor * part.width, factor * part.height};
    if (factor == 0 || picture.height < box.y1())
        throw Error(ErrorKind::input,
                    fmt::format("With crop, {} must show the whole view of {}x{} pixels, or be a "
                                "multiple of it; it has {}x{}.",
                                name, index.whole.width, index.whole.height, picture.width,
                                picture.height));
    return crop(picture, box);
}

}  // namespace plenosr
