#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "experiment/experiments.h"
#include "interrupts.h"
#include "plenosr/frames.h"

namespace plenosr::app {
namespace {

struct Burst {
    std::vector<Image> frames;
    std::vector<FrameMotion> motions;
    Image truth;
};

// As in the paper: scale^2 frames, 1/scale pixel apart, noise 1.
Burst make_burst(const Lab& lab, const Image& photo, int scale) {
    const DegradeOptions made = degradation(scale, 1);
    const std::vector<Place> shifts = grid_shifts(scale);
    LightField frames = degrade_frames(photo, shifts, made, lab.listening());
    Burst burst;
    for (View& view : frames.views)
        burst.frames.push_back(std::move(view.image));
    for (const Place& shift : shifts)
        burst.motions.push_back(FrameMotion::translation(shift.x, shift.y));
    burst.truth =
        crop(photo, burst.frames.front().width * scale, burst.frames.front().height * scale);
    return burst;
}

constexpr std::size_t two_gibibytes = std::size_t(2) << 30U;

// `limit` is the memory limit in bytes; 0 is no limit.
ReconstructResult solve(const Lab& lab, const Burst& burst, ReconstructOptions options,
                        std::size_t limit) {
    options.device = lab.options().device;
    options.memory_limit = limit;
    const FramesOptions frames;
    ReconstructResult result = reconstruct_frames(
        burst.frames, examine_frames(burst.frames, burst.motions, frames, lab.listening()), frames,
        options, lab.listening());
    require_finished(result.termination);
    return result;
}

std::vector<Model> frame_models(const Lab& lab, int scale) {
    ReconstructOptions own;
    own.scale = scale;
    ReconstructOptions paper = own;
    paper.data = DataTerm::l1;
    paper.prior = Prior::btv;
    std::vector<Model> result;
    if (lab.options().model != "auto") result.push_back({"l1 + btv", paper});
    if (lab.options().model != "paper") result.push_back({"auto", own});
    return result;
}

// Time and memory by size, on parts of the largest photo.
void show_growth(Lab& lab, const Image& photo) {
    Page& page = lab.page();
    Table table{"frames-growth",
                "Cost by size, x2, l1 + btv, without a memory limit",
                {{"megapixels", 2},
                 {"seconds", 2},
                 {"seconds per megapixel", 3},
                 {"bytes of work per pixel", 1}},
                {}};
    const std::vector<double> shares = {0.2, 0.45, 0.7, 1.0};
    std::vector<Burst> bursts;
    bursts.reserve(shares.size());
    for (const double share : shares)
        bursts.push_back(make_burst(
            lab, crop(photo, int(photo.width * share) / 2 * 2, int(photo.height * share) / 2 * 2),
            2));
    ReconstructOptions options;
    options.data = DataTerm::l1;
    options.prior = Prior::btv;
    std::vector<double> best(bursts.size(), 0);
    std::vector<double> bytes(bursts.size(), 0);
    for (int round = 0; round < 3;
         ++round)  // interleaved: other load on the machine affects all alike
        for (std::size_t k = 0; k < bursts.size(); ++k) {
            const ReconstructResult result = solve(lab, bursts[k], options, 0);
            best[k] = round == 0 ? result.wall_seconds : std::min(best[k], result.wall_seconds);
            bytes[k] = double(result.memory_peak);
            lab.done();
        }
    Series seconds{"seconds per megapixel", {}, {}};
    for (std::size_t k = 0; k < bursts.size(); ++k) {
        const auto pixels = double(bursts[k].truth.pixels());
        table.rows.push_back({pixels / 1e6, best[k], best[k] / pixels * 1e6, bytes[k] / pixels});
        seconds.x.push_back(pixels / 1e6);
        seconds.y.push_back(best[k] / pixels * 1e6);
    }
    const auto& last = table.rows.back();
    page.found.push_back(
        fmt::format("From {:.1f} to {:.1f} megapixels the seconds per megapixel grow by {:.2f}.",
                    table.rows[1][0].get<double>(), last[0].get<double>(),
                    last[2].get<double>() / table.rows[1][2].get<double>()));
    page.tables.push_back(table);
    page.figures.push_back({"frames-growth", "time per megapixel by size",
                            Plot{"megapixels of the result",
                                 "seconds per megapixel",
                                 true,
                                 false,
                                 {seconds},
                                 {},
                                 true}});
}

}  // namespace

void run_frames_table(Lab& lab) {
    struct Scale {
        int scale;
        double paper_gain;  // over interpolation, mean of the paper's seven photos
    };
    const std::vector<Scale> scales = {{2, 4.44}, {3, 4.67}};
    const std::vector<std::string> photos = lab.photos();
    Page& page = lab.page();
    page.text.emplace_back(
        "x2 from 4 frames half a pixel apart, x3 from 9 frames a third apart, noise of standard "
        "deviation 1, shifts given. `interpolated` places the samples on the fine "
        "grid. `l1 + btv` is the paper's setting. Seconds are wall time without reading, memory is "
        "the peak of the process, with a memory limit of 2 GiB. The paper uses other photos; its "
        "mean gains over interpolation are listed beside ours.");
    if (!std::filesystem::exists(photos.front()))
        page.missing.emplace_back("Photos: none were found, so rendered pictures are used.");
    const std::size_t models = frame_models(lab, 2).size();
    lab.expect(int(photos.size() * scales.size() * models) + 12);
    Table table{"frames-table",
                "Super-resolved frames",
                {{"photo"},
                 {"scale"},
                 {"megapixels", 1},
                 {"model"},
                 {"bicubic"},
                 {"interpolated"},
                 {"PSNR"},
                 {"SSIM", 4},
                 {"gain"},
                 {"seconds", 1},
                 {"MiB", 0}},
                {}};
    std::string largest;
    std::size_t most = 0;
    for (const Scale& scale : scales) {
        std::vector<double> gains(models, 0);
        for (const std::string& which : photos) {
            const Lab::Photo photo = lab.photo(which);
            if (photo.image.pixels() > most) {
                most = photo.image.pixels();
                largest = which;
            }
            const Burst burst = make_burst(lab, photo.image, scale.scale);
            const double bicubic =
                quality_of(enlarge_view(burst.frames.front(), scale.scale), burst.truth).psnr;
            const double interpolated =
                quality_of(interpolate_frames(burst.frames, burst.motions, 0, scale.scale),
                           burst.truth)
                    .psnr;
            std::size_t m = 0;
            for (const Model& model : frame_models(lab, scale.scale)) {
                restart_peak_memory();
                const ReconstructResult result = solve(lab, burst, model.options, two_gibibytes);
                const Quality quality = quality_of(result.image, burst.truth);
                const double gain = quality.psnr - interpolated;
                gains[m++] += gain;
                table.rows.push_back({photo.name, scale.scale, double(burst.truth.pixels()) / 1e6,
                                      model.name, bicubic, interpolated, quality.psnr, quality.ssim,
                                      gain, result.wall_seconds,
                                      double(peak_memory_bytes()) / double(1 << 20)});
                if (gain < 0)
                    page.found.push_back(fmt::format("{}, x{}, {}: {:.2f} dB BELOW interpolation.",
                                                     photo.name, scale.scale, model.name, -gain));
                lab.done();
            }
        }
        std::size_t m = 0;
        for (const Model& model : frame_models(lab, scale.scale))
            page.found.push_back(fmt::format(
                "x{}, {}: mean gain over interpolation {:.2f} dB; the paper's, on its photos, "
                "{:.2f}.",
                scale.scale, model.name, gains[m++] / double(photos.size()), scale.paper_gain));
    }
    page.tables.push_back(table);
    show_growth(lab, lab.photo(largest).image);
}

}  // namespace plenosr::app
