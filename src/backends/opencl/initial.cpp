#include "backends/opencl/initial.h"

#include <cmath>

#include "backends/opencl/device_images.h"
#include "backends/opencl/grid_blur.h"
#include "base/cancelled.h"
#include "kernels/parameters.h"
#include "plenosr/disparity.h"
#include "problem/planar_layout.h"

namespace plenosr::opencl {
namespace {

Memory upload(Device& device, const std::vector<float>& values) {
    return device.new_constants(values.data(), values.size() * sizeof(float));
}

// -D of initial.cl.
std::string defines_for(Device& device, std::size_t views) {
    return fmt::format("{} -DVIEWS={} -DSIGMA_PER_MEDIAN={}f", tile_defines(device.tuning()), views,
                       sigma_per_median);
}

std::size_t float_bytes(std::size_t count) {
    return count * sizeof(float);
}

std::vector<float> download(Device& device, const Memory& memory, std::size_t count) {
    std::vector<float> values(count);
    device.read(memory, values.data(), count * sizeof(float));
    return values;
}

Image download(Device& device, const Memory& memory, int width, int height, int channels = 1) {
    return from_planes(
        download(device, memory, std::size_t(width) * std::size_t(height) * std::size_t(channels)),
        width, height);
}

}  // namespace

MemoryPlan geometry_memory(const ProblemShape& s) {
    const std::size_t map = std::size_t(s.disparity_width) * std::size_t(s.disparity_height);
    const std::size_t side = std::size_t(2 * s.blur_radius + 1);
    const std::size_t fine = s.low_pixels() * std::size_t(s.scale) * std::size_t(s.scale);
    return MemoryPlan()
        .add(float_bytes(map))
        .add(float_bytes(std::max(s.psf_values, side * side)))
        .add(float_bytes(fine), 3)             // depth, disparity, visible
        .add(float_bytes(s.low_pixels()), 2);  // disparity, visible
}

MemoryPlan pilot_memory(const ProblemShape& s) {
    const std::size_t channels = std::size_t(s.channels);
    return MemoryPlan()
        .add(float_bytes(s.samples() * channels))
        .add(float_bytes(s.samples()))
        .add(s.views * sizeof(cl_float4))
        .add(float_bytes(s.pixels() * channels))  // median
        .add(float_bytes(s.pixels()), 2);         // disparity, spread
}

// The views' values and disparities in the order of the device.
std::size_t pilot_host_bytes(std::size_t samples, int channels) {
    return float_bytes(samples * std::size_t(channels + 1));
}

Image enlarge_bicubic(Device& device, const Image& low, const SamplingGrid& sampling) {
    const int scale = sampling.scale;
    const int width = low.width * scale;
    const int height = low.height * scale;
    Kernel kernel = device.kernel("initial", "enlarge_bicubic", defines_for(device, 1));
    const std::vector<float> planes = to_planes(low);
    Memory full = device.new_buffer(std::size_t(width) * std::size_t(height) * sizeof(float));
    Image result(width, height, low.channels);
    for (int c = 0; c < low.channels; ++c) {
        const Memory plane = device.new_constants(planes.data() + std::size_t(c) * low.pixels(),
                                                  low.pixels() * sizeof(float));
        Grid grid = cell_grid(device.tuning(), width, height);
        grid.bytes = plane.bytes() + full.bytes();
        kernel(grid, plane, low.width, low.height, scale, float(sampling.phase), full);
        const std::vector<float> values = download(device, full, result.pixels());
        for (std::size_t i = 0; i < values.size(); ++i)
            result.values[i * std::size_t(low.channels) + std::size_t(c)] = values[i];
    }
    return result;
}

MedianImage median_of_views(Device& device, const std::vector<Image>& views,
                            const std::vector<ViewGeometry>& geometry, const Image& disparity,
                            const Image& enlarged_reference, const SamplingGrid& sampling) {
    const int width = enlarged_reference.width;
    const int height = enlarged_reference.height;
    const int channels = enlarged_reference.channels;
    const Image& first = views.front();
    Kernel kernel = device.kernel("initial", "median_of_views", defines_for(device, views.size()));
    const Charge host(pilot_host_bytes(views.size() * first.pixels(), channels));
    std::vector<float> values;         // (view, channel, y, x)
    std::vector<float> low_disparity;  // (view, y, x)
    std::vector<cl_float4> crops;
    for (std::size_t k = 0; k < views.size(); ++k) {
        const std::vector<float> planes = to_planes(views[k]);
        values.insert(values.end(), planes.begin(), planes.end());
        const auto& map = geometry[k].at_low_resolution().values;
        low_disparity.insert(low_disparity.end(), map.begin(), map.end());
        const ViewCrop& crop = geometry[k].crop;
        crops.push_back({{float(crop.u), float(crop.v), float(crop.x0), float(crop.y0)}});
    }
    const Memory stack = upload(device, values);
    const Memory view_disparity = upload(device, low_disparity);
    const Memory crop_table = device.new_constants(crops.data(), crops.size() * sizeof(cl_float4));
    const Memory map = upload(device, disparity.values);
    Memory median = upload(device, to_planes(enlarged_reference));
    Memory spread = device.new_buffer(float_bytes(disparity.pixels()));
    Grid grid = cell_grid(device.tuning(), width, height);
    grid.bytes = stack.bytes() + median.bytes() + 2 * spread.bytes();
    kernel(grid, stack, view_disparity, crop_table, map, first.width, first.height, channels,
           sampling.scale, float(sampling.phase), same_surface, width, height, median, spread);
    return {download(device, median, width, height, channels),
            download(device, spread, width, height)};
}

std::vector<ViewGeometry> view_geometry(Device& device, const GeometryDesc& desc,
                                        const Progress& progress) {
    const int grid_width = desc.low_width * desc.scale;
    const int grid_height = desc.low_height * desc.scale;
    const int width = desc.disparity.width;
    const int height = desc.disparity.height;
    const std::size_t pixels = std::size_t(grid_width) * std::size_t(grid_height);
    const std::size_t low = std::size_t(desc.low_width) * std::size_t(desc.low_height);
    const Tuning& t = device.tuning();
    const auto kernel = [&](const char* name) {
        return device.kernel(
            "splat", name,
            fmt::format("{} -DON_CENTRE={:e}f -DBACKGROUND_RADIUS={}", tile_defines(t),
                        splat_on_centre, splat_background_radius));
    };
    Kernel clear = kernel("splat_clear");
    Kernel splat = kernel("splat");
    Kernel fill = kernel("splat_fill");
    Kernel fill_rows = kernel("splat_fill_rows");
    Kernel see = kernel("splat_visible");
    Kernel decimate = kernel("splat_decimate");
    const Memory reference = upload(device, desc.disparity.values);
    const GridOnDevice psf(device, desc.psf, desc.psf.width() / 2, desc.psf.height() / 2);
    Memory depth = device.new_buffer(float_bytes(pixels));
    Memory disparity = device.new_buffer(float_bytes(pixels));
    Memory visible = device.new_buffer(float_bytes(pixels));
    Memory low_disparity = device.new_buffer(float_bytes(low));
    Memory low_visible = device.new_buffer(float_bytes(low));

    const auto grid = [&](int w, int h, std::size_t bytes) {
        Grid g = cell_grid(t, w, h);
        g.bytes = bytes;
        return g;
    };
    const auto values = [&](std::size_t count) {
        return value_grid(t, count, count * sizeof(float));
    };
    const int whole_phase = int(std::floor(desc.psf.phase));
    std::vector<ViewGeometry> result;
    for (const ViewCrop& crop : desc.views) {
        const int grid_x = crop.x0 - desc.disparity_x0;
        const int grid_y = crop.y0 - desc.disparity_y0;
        const float u = float(crop.u);
        const float v = float(crop.v);
        clear(values(pixels), depth, int(pixels));
        splat(grid(width, height, reference.bytes() + depth.bytes()), reference, width, height, u,
              v, grid_x, grid_y, grid_width, grid_height, depth);
        fill(grid(grid_width, grid_height, 2 * depth.bytes()), depth, grid_width, grid_height,
             disparity);
        fill_rows(values(std::size_t(grid_width)), disparity, grid_width, grid_height);
        see(grid(grid_width, grid_height, 4 * depth.bytes()), depth, disparity, reference, width,
            height, u, v, grid_x, grid_y, grid_width, grid_height, same_surface, visible);
        const PsfGrid here = psf_of_view(desc.psf, crop);
        decimate(grid(desc.low_width, desc.low_height, 2 * depth.bytes()), disparity, visible,
                 psf.memory, here.rows, here.cols, float(here.x0), float(here.y0), psf.per_x,
                 psf.per_y, desc.psf.width() / 2, desc.psf.height() / 2, grid_width, grid_height,
                 desc.scale, whole_phase, float(desc.psf.phase - whole_phase), same_surface,
                 low_disparity, low_visible);
        ViewGeometry g;
        g.crop = crop;
        g.disparity = download(device, low_disparity, desc.low_width, desc.low_height);
        g.visible = download(device, low_visible, desc.low_width, desc.low_height);
        g.inside = inside_tile(desc, g);
        if (desc.form == OperatorForm::chain) {
            g.low_disparity = std::move(g.disparity);
            g.disparity = download(device, disparity, grid_width, grid_height);
        }
        result.push_back(std::move(g));
        if (!report(progress, {"geometry", int(result.size()), int(desc.views.size()), 0}))
            throw Cancelled();
    }
    return result;
}

}  // namespace plenosr::opencl
