#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "experiment/page.h"
#include "interrupts.h"
#include "plenosr/disparity.h"
#include "plenosr/metrics.h"
#include "plenosr/reconstruct.h"
#include "plenosr/synth.h"

namespace plenosr::app {

// The options of `plenosr experiment`.
struct LabOptions {
    std::filesystem::path data;  // folder with scenes and photos; if empty, scenes are rendered
    std::string device = "cpu";
    bool device_given = false;
    std::string model = "both";  // paper, auto, both
    bool quick = false;
    std::string view = "all";                                        // of clean-table: all, centre
    std::vector<std::pair<std::string, std::filesystem::path>> add;  // results of other methods
};

// A scene at full resolution, which experiments degrade and compare with.
struct Scene {
    std::string name;
    LightField light_field;
    ViewPosition reference;
    Image disparity;      // of the reference; empty if not known
    bool papers = false;  // the whole scene of the paper, so that numbers can be compared
};

// The degraded scene and its truth.
struct Degraded {
    LightField low;
    ViewPosition reference;
    Image disparity;  // reduced like the views; empty: it is estimated
    Image truth;
    DegradeOptions made;
    bool papers = false;
};

// Named options of reconstruct(): the model of the paper, or `auto`.
struct Model {
    std::string name;
    ReconstructOptions options;
};

// Shared by all experiments: loading scenes, solving and reporting.
class Lab {
public:
    Lab(LabOptions options, Progress progress, Page& page)
        : options_(std::move(options)), progress_(std::move(progress)), page_(page) {}
    Lab(const Lab&) = delete;
    Lab& operator=(const Lab&) = delete;

    const LabOptions& options() const { return options_; }
    bool quick() const { return options_.quick; }
    Page& page() { return page_; }

    // The scene of that name in the data folder, or another scene there, or a rendered one; the
    // page says which. `views` as for --views, around the centre.
    Scene scene(const std::string& wanted, const std::string& views);
    bool has_scene(const std::string& name) const;  // in the data folder
    std::vector<Scene> scenes(const std::vector<std::string>& wanted, const std::string& views);
    struct Photo {
        std::string name;
        Image image;
    };
    std::vector<std::string> photos() const;  // files, or the names of rendered pictures
    Photo photo(const std::string& which) const;

    Degraded degrade(const Scene& scene, const DegradeOptions& options) const;
    // with only the views at these positions
    static Degraded with_views(const Degraded& from, const std::string& views);

    // The models of --model.
    std::vector<Model> models(const DegradeOptions& made) const;
    // `compare` computes PSNR and SSIM of every iteration; `native` uses the CPU engine instead of
    // --device.
    ReconstructResult solve(const Degraded& from, ReconstructOptions options, bool compare = true,
                            bool native = false) const;

    // Progress: sets the number of steps; marks one as done.
    void expect(int steps) { steps_ = steps; }
    void done();
    const Progress& listening() const {
        return listening_;
    }  // for jobs: shows nothing, checks for interrupts

private:
    LabOptions options_;
    Progress progress_;
    Page& page_;
    Progress listening_ = [](const ProgressEvent&) { return !interrupted(); };
    int step_ = 0;
    int steps_ = 0;
};

// The degradation of the experiments, with seed 1.
DegradeOptions degradation(int scale, double gaussian, double impulse = 0);

// A rendered scene for timing at x4, at most 9x9 views; its content does not matter.
Degraded timing_scene(int views_across, int size);

// Quality of the image after rounding to 8 bits.
Quality quality_of(const Image& image, const Image& truth);
Image bicubic_of(const Degraded& from);

// The square of that side with the most detail in luma.
struct Part {
    int x = 0;
    int y = 0;
};
Part busiest_part(const Image& image, int side);

}  // namespace plenosr::app
