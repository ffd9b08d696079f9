#include "backends/opencl/matching.h"

#include <algorithm>

#include "backends/opencl/device_images.h"
#include "base/cancelled.h"
#include "disparity/guided_filter.h"
#include "kernels/parameters.h"

namespace plenosr::opencl {
namespace {

// Chosen by reasoning, not tuned.
constexpr int label_run = 16;      // labels of a pixel come in multiples of this: a ushort16
constexpr int labels_at_once = 8;  // labels per launch of the sweep: bounds its memory
constexpr int view_margin = 24;    // columns on either side of a view: a vector and its taps
constexpr int unreachable_cost = 0x7FFF;

// As in sweep.cl.
struct Place {
    cl_float4 wx, wy;
    cl_int4 area, shift;
};

// A plane with `margin` columns of zeros on either side.
struct MatchPlane {
    int width = 0;
    int height = 0;
    int margin = 0;
    int stride() const { return round_up(width, 16) + 2 * margin; }
    std::size_t size() const { return std::size_t(stride()) * std::size_t(height); }
    std::size_t bytes() const { return size() * sizeof(float); }
};

class Matching {
public:
    Matching(Device& device, const MatchDesc& desc)
        : device_(device),
          desc_(desc),
          plane_{desc.guide.width, desc.guide.height, round_up(desc.window, 16)},
          labels_(round_up(desc.labels, label_run)),
          guide_(upload(desc.guide.values)),
          costs_(device.new_buffer(volume_bytes())) {}

    Match run(const Progress& progress) {
        sweep(progress);
        const JumpCosts jump = contrasts();
        if (!report(progress, {"matching", 1, 1, 0})) throw Cancelled();
        const Memory sums = semi_global(jump);
        Match match = fit(sums);
        match.jump = double(jump.large) * double(desc_.truncation) / match_levels;
        return match;
    }

private:
    std::size_t pixels() const { return desc_.guide.pixels(); }
    std::size_t volume_bytes() const { return pixels() * std::size_t(labels_) * sizeof(cl_ushort); }

    Memory upload(const std::vector<float>& values) {
        std::vector<float> padded(plane_.size(), 0.0F);
        for (int y = 0; y < plane_.height; ++y)
            std::copy_n(values.data() + std::ptrdiff_t(y) * plane_.width, plane_.width,
                        padded.data() + std::ptrdiff_t(y) * plane_.stride() + plane_.margin);
        return device_.new_constants(padded.data(), plane_.bytes());
    }

    // The views with their border pixels replicated on either side.
    Memory upload_views(int stride) {
        const int height = plane_.height;
        std::vector<float> values(desc_.views.size() * std::size_t(height) * std::size_t(stride));
        float* to = values.data();
        for (const Image& view : desc_.views)
            for (int y = 0; y < height; ++y, to += stride)
                for (int x = 0; x < stride; ++x)
                    to[x] = view.at(y, std::clamp(x - view_margin, 0, plane_.width - 1));
        return device_.new_constants(values.data(), values.size() * sizeof(float));
    }

    Memory upload_places() {
        std::vector<Place> places;  // padding labels repeat the last one
        for (int l = 0; l < labels_; ++l)
            for (const MatchDesc::Offset& offset : desc_.offsets) {
                const double d = desc_.first + std::min(l, desc_.labels - 1) * desc_.step;
                const MatchPlace p = match_place(offset, d, plane_.width, plane_.height);
                places.push_back({{{p.wx[0], p.wx[1], p.wx[2], p.wx[3]}},
                                  {{p.wy[0], p.wy[1], p.wy[2], p.wy[3]}},
                                  {{p.left, p.right, p.top, p.bottom}},
                                  {{p.x, p.y, int(halves_of(offset)), 0}}});
            }
        return device_.new_constants(places.data(), places.size() * sizeof(Place));
    }

    std::string sweep_defines() const {
        std::string exchanges;
        for (const auto& [low, high] : median_exchanges(int(desc_.views.size()), true))
            exchanges += fmt::format("X({},{})", low, high);
        return fmt::format(
            "{} -DVIEWS={} -DMARGIN={} -DVIEW_MARGIN={} -DLABELS_AT_ONCE={} -DUNREACHABLE={}{} {}",
            tile_defines(device_.tuning()), desc_.views.size(), plane_.margin, view_margin,
            labels_at_once, unreachable_cost, desc_.half_views.empty() ? "" : " -DHALF_VIEWS",
            desc_.loss == MatchLoss::squared ? "-DLOSS_SQUARED" : "-DEXCHANGES=" + exchanges);
    }
    std::string path_defines() const {
        const bool alone = path_items() == 1;
        return fmt::format(
            "-DLABELS={} -DMARGIN={} -DPATH_ITEMS={} -DLABEL_VECTOR={} -DLEAST_LARGE_JUMP={:e}f",
            labels_, plane_.margin, path_items(), alone ? label_run : 1, least_large_jump);
    }
    // Work-items that share a path: one on CPUs, otherwise one per label up to the tuning's group.
    int path_items() const {
        if (device_.tuning().group <= 1) return 1;
        int items = label_run;
        while (2 * items <= std::min(labels_, device_.tuning().group))
            items *= 2;
        return std::min(items, device_.tuning().group);
    }

    // costs_ <- C(p, l)
    void sweep(const Progress& progress) {
        const std::string defines = sweep_defines();
        const auto kernel = [&](const char* name) {
            return device_.kernel("sweep", name, defines);
        };
        Kernel cost_planes = kernel("sweep");
        Kernel window_rows = kernel("window_rows");
        Kernel guided_fit = kernel("guided_fit");
        Kernel guided_costs = kernel("guided_costs");
        const int view_stride = round_up(plane_.width + 2 * view_margin, 16);
        const Memory views = upload_views(view_stride);
        const Memory places = upload_places();
        const Memory half_views =
            desc_.half_views.empty() ? Memory() : upload(desc_.half_views.values);
        const GuidedFilter filter(desc_.guide, desc_.window, desc_.epsilon);
        const Memory mean = upload(filter.mean_of_guide());
        const Memory inverse = upload(filter.inverse_variance());
        Memory layers[4];
        for (Memory& layer : layers)
            layer = device_.new_buffer(labels_at_once * plane_.bytes());
        auto& [a, b, sum_a, sum_b] = layers;
        const auto grid = [&](std::size_t depth, std::size_t planes) {
            Grid g = pixel_grid(device_.tuning(), plane_.width, plane_.height);
            g.depth = depth;
            g.bytes = planes * depth * plane_.bytes();
            return g;
        };
        const int width = plane_.width;
        const int height = plane_.height;
        const int stride = plane_.stride();
        const std::size_t deep = labels_at_once;
        for (int first = 0; first < labels_; first += labels_at_once) {
            if (!report(progress, {"matching", 0, 1, 0, double(first) / labels_}))
                throw Cancelled();
            cost_planes(grid(deep, desc_.views.size() + 2), views, view_stride,
                        view_stride * height, places, first, guide_,
                        desc_.half_views.empty() ? guide_ : half_views, desc_.truncation,
                        desc_.half_extra, width, height, stride, a, b);
            window_rows(grid(deep, 4), a, b, desc_.window, width, height, stride, sum_a, sum_b);
            guided_fit(grid(deep, 4), sum_a, sum_b, mean, inverse, desc_.window, width, height,
                       stride, a, b);
            window_rows(grid(deep, 4), a, b, desc_.window, width, height, stride, sum_a, sum_b);
            guided_costs(grid(1, 3 * deep), sum_a, sum_b, guide_,
                         float(match_levels) / desc_.truncation, float(match_levels), first,
                         desc_.labels, labels_, desc_.window, width, height, stride, costs_);
            device_.finish();  // so that a cancellation takes effect soon
        }
    }

    Kernel path_kernel(const char* name) {
        return device_.kernel("semi_global", name, path_defines());
    }
    Grid per_pixel(std::size_t bytes) const {
        return value_grid(device_.tuning(), pixels(), bytes);
    }
    std::vector<float> download(const Memory& memory) {
        std::vector<float> values(pixels());
        device_.read(memory, values.data(), values.size() * sizeof(float));
        return values;
    }

    JumpCosts contrasts() {
        Memory contrast = device_.new_buffer(pixels() * sizeof(float));
        path_kernel("label_contrast")(per_pixel(volume_bytes()), costs_, desc_.labels,
                                      int(pixels()), contrast);
        std::vector<float> values = download(contrast);
        return jump_costs(desc_, values);
    }

    Memory semi_global(const JumpCosts& jump) {
        Kernel kernel = path_kernel("semi_global");
        Memory sums = device_.new_buffer(volume_bytes());
        const std::size_t items = std::size_t(path_items());
        for (const int dy : {0, 1, -1})
            for (const int dx : {-1, 0, 1}) {
                if (dx == 0 && dy == 0) continue;
                const int paths = dy == 0 ? plane_.height : plane_.width;
                kernel({.width = std::size_t(paths) * items,
                        .group_width = items,
                        .bytes = 3 * volume_bytes()},
                       costs_, guide_, plane_.stride(), plane_.width, plane_.height, dx, dy,
                       jump.small, jump.large, jump.edge, sums);
            }
        return sums;
    }

    Match fit(const Memory& sums) {
        Memory disparity = device_.new_buffer(pixels() * sizeof(float));
        Memory contrast = device_.new_buffer(pixels() * sizeof(float));
        Memory margin = device_.new_buffer(pixels() * sizeof(float));
        path_kernel("fit_label")(per_pixel(volume_bytes()), sums, desc_.labels, match_neighbourhood,
                                 float(desc_.first), float(desc_.step),
                                 desc_.truncation / float(match_levels * match_paths),
                                 int(pixels()), disparity, contrast, margin);
        Match match{Image(plane_.width, plane_.height), Image(plane_.width, plane_.height),
                    Image(plane_.width, plane_.height)};
        match.disparity.values = download(disparity);
        match.contrast.values = download(contrast);
        match.margin.values = download(margin);
        return match;
    }

    Device& device_;
    const MatchDesc& desc_;
    MatchPlane plane_;
    int labels_;  // of a pixel in the volume, with padding
    Memory guide_;
    Memory costs_;
};

}  // namespace

std::size_t match_bytes(const MatchShape& s) {
    const MatchPlane plane{s.width, s.height, 16};
    const std::size_t volume =
        s.pixels() * std::size_t(round_up(s.labels, label_run)) * sizeof(cl_ushort);
    const std::size_t views = s.views * std::size_t(s.height) *
                              std::size_t(round_up(s.width + 2 * view_margin, 16)) * sizeof(float);
    // Guide, half views, mean and variance; four layers of the sweep; the guided filter on the
    // host.
    const std::size_t planes = (4 + 4 * labels_at_once + 5) * plane.bytes();
    // The views are padded on the host before they go up. The sweep ends before the second volume.
    return std::max(volume + 2 * views + planes, 2 * volume + 3 * plane.bytes());
}

Match match_views(Device& device, const MatchDesc& desc, const Progress& progress) {
    return Matching(device, desc).run(progress);
}

}  // namespace plenosr::opencl
