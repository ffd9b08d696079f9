#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "experiment/page.h"
#include "plenosr/disparity.h"
#include "plenosr/metrics.h"
#include "plenosr/reconstruct.h"
#include "plenosr/synth.h"
#include "progress_bar.h"

namespace plenosr::app {

// What the user asked for.
struct LabOptions {
    std::filesystem::path data;  // folder with scenes and photos; empty: rendered scenes
    std::string device = "cpu";
    bool device_given = false;
    std::string model = "both";  // paper, auto, both
    bool quick = false;
    std::vector<std::pair<std::string, std::filesystem::path>> add;  // other methods' results
};

// A scene at full resolution: what experiments degrade and compare with.
struct Scene {
    std::string name;
    LightField light_field;
    ViewPosition reference;
    Image disparity;      // of the reference; empty: not known
    bool papers = false;  // the one that the paper shows, whole: figures compare
};

// What a poor camera array sees of it, and the truth.
struct Degraded {
    LightField low;
    ViewPosition reference;
    Image disparity;  // reduced as the views; empty: to be estimated
    Image truth;
    DegradeOptions made;
    bool papers = false;
};

// The paper's own model, or `auto`: options of reconstruct() under a name.
struct Model {
    std::string name;
    ReconstructOptions options;
};

// What all experiments share: where scenes come from, how they are solved, how they report.
class Lab {
public:
    Lab(LabOptions options, Progress progress, Page& page)
        : options_(std::move(options)), progress_(std::move(progress)), page_(page) {}
    Lab(const Lab&) = delete;
    Lab& operator=(const Lab&) = delete;

    const LabOptions& options() const { return options_; }
    bool quick() const { return options_.quick; }
    Page& page() { return page_; }

    // The scene of that name in the data, or another one there, or a rendered one; the page says
    // which. `views` as for --views, around the middle.
    Scene scene(const std::string& wanted, const std::string& views);
    std::vector<Scene> scenes(const std::vector<std::string>& wanted, const std::string& views);
    struct Photo {
        std::string name;
        Image image;
    };
    std::vector<std::string> photos() const;  // files, or the names of rendered pictures
    Photo photo(const std::string& which) const;

    Degraded degrade(const Scene& scene, const DegradeOptions& options) const;
    // with views of these positions alone
    static Degraded with_views(const Degraded& from, const std::string& views);

    // The models that were asked for.
    std::vector<Model> models(const DegradeOptions& made) const;
    // `compare`: PSNR and SSIM of every iteration; `native`: on the CPU engine, whatever was asked.
    ReconstructResult solve(const Degraded& from, ReconstructOptions options, bool compare = true,
                            bool native = false) const;

    // Progress: how many steps there will be, and that one is done.
    void expect(int steps) { steps_ = steps; }
    void done();
    const Progress& listening() const { return listening_; }  // for jobs: only hears interrupts

private:
    LabOptions options_;
    Progress progress_;
    Page& page_;
    Progress listening_ = [](const ProgressEvent&) { return !interrupted(); };
    int step_ = 0;
    int steps_ = 0;
};

// Degradations of the experiments: seed 1.
DegradeOptions degradation(int scale, double gaussian, double impulse = 0);

// A rendered scene for timing, 9x9 views at most: what is seen does not matter. x4.
Degraded timing_scene(int views_across, int size);

// Of the image as an 8-bit file would hold it.
Quality quality_of(const Image& image, const Image& truth);
Image bicubic_of(const Degraded& from);

// A part of the picture that shows detail: the square of that side with most of it, of luma.
struct Part {
    int x = 0;
    int y = 0;
};
Part busiest_part(const Image& image, int side);

}  // namespace plenosr::app
