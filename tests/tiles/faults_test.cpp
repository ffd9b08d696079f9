// Devices that run out of memory, and devices that do not exist.
#include <gtest/gtest.h>

#include "backends/cpu/engine.h"
#include "cases/scenes.h"
#include "devices/make_engines.h"
#include "plenosr/error.h"
#include "reconstruct_view.h"

namespace plenosr {
namespace {

// The CPU engine of a device that claims to have memory, but refuses large problems.
class Refusing final : public Engine {
public:
    Refusing(std::size_t most_pixels, bool bad_alloc) : most_(most_pixels), bad_alloc_(bad_alloc) {}
    std::string name() const override { return "refusing"; }
    std::vector<ViewGeometry> geometry(const GeometryDesc& desc,
                                       const Progress& progress) override {
        return cpu_.geometry(desc, progress);
    }
    Image enlarge_bicubic(const Image& low, const SamplingGrid& sampling) override {
        return cpu_.enlarge_bicubic(low, sampling);
    }
    MedianImage median_of_views(const std::vector<Image>& views,
                                const std::vector<ViewGeometry>& geometry, const Image& disparity,
                                const Image& enlarged_reference,
                                const SamplingGrid& sampling) override {
        return cpu_.median_of_views(views, geometry, disparity, enlarged_reference, sampling);
    }
    Solution solve(const Problem& problem, const Image& start, Solver solver,
                   const SolveOptions& options, const Monitor& monitor) override {
        if (problem.pixels() > most_) {
            if (bad_alloc_) throw std::bad_alloc();
            throw OutOfMemory("the device has no more");
        }
        return cpu_.solve(problem, start, solver, options, monitor);
    }
    Match match(const MatchDesc& desc, const Progress& progress) override {
        return cpu_.match(desc, progress);
    }
    EngineMemory memory_for(const ProblemShape& shape) const override {
        return cpu_.memory_for(shape);
    }
    std::size_t memory_for(const MatchShape& shape) const override {
        return cpu_.memory_for(shape);
    }
    std::size_t memory_available() const override { return cpu_.memory_available(); }
    std::size_t largest_allocation() const override { return cpu_.largest_allocation(); }

private:
    std::size_t most_;
    bool bad_alloc_;
    cpu::CpuEngine cpu_{2};
};

ReconstructResult run(const test::DegradedScene& scene, std::unique_ptr<Engine> engine,
                      const ReconstructOptions& o = {}) {
    Engines engines;
    engines.push_back(std::move(engine));
    return reconstruct_view(engines, scene.views, scene.centre, scene.low_disparity, o, {},
                            nullptr);
}

test::DegradedScene scene_of(int size) {
    test::SceneSetup setup;
    setup.views = 3;
    setup.width = setup.height = size;
    return test::degraded_scene(setup);
}

TEST(OutOfMemory, LeadsToSmallerTilesAndTheSameImage) {
    const auto scene = scene_of(256);
    const ReconstructResult whole = run(scene, std::make_unique<cpu::CpuEngine>(2));
    for (const bool bad_alloc : {false, true}) {
        auto engine = std::make_unique<Refusing>(30000, bad_alloc);
        const ReconstructResult tiled = run(scene, std::move(engine));
        EXPECT_GT(tiled.tiles.count, 1);
        EXPECT_LE(tiled.tiles.width * tiled.tiles.height, 30000);
        EXPECT_GE(test::closeness(tiled.image, whole.image), 58.920 - 1);
    }
}

TEST(OutOfMemory, EndsInOneSentence) {
    const auto scene = scene_of(256);
    try {
        run(scene, std::make_unique<Refusing>(0, false));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::memory);
        EXPECT_NE(std::string(error.what()).find("there is not enough memory"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("the device has no more"), std::string::npos);
    }
}

TEST(OutOfMemory, IsNotRetriedForSolversWithoutTiles) {
    ReconstructOptions o;
    o.solver = Solver::gd_ls;
    EXPECT_THROW(run(scene_of(96), std::make_unique<Refusing>(0, true), o), Error);
}

TEST(Devices, AreAListOfKnownNames) {
    ReconstructOptions two;
    two.device = "cpu,cpu";
    EXPECT_EQ(make_engines(two).size(), 2U);
    for (const char* wrong : {"", ",", "cpu,", "gpu", "cpu,tpu"}) {
        ReconstructOptions o;
        o.device = wrong;
        EXPECT_THROW(o.validate(), Error) << wrong;
    }
}

}  // namespace
}  // namespace plenosr
