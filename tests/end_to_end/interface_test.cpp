// The interface of the library: memory of the caller, devices that stay open, cancelling.
#include <gtest/gtest.h>

#include <thread>

#include "cases/scenes.h"
#include "plenosr/all_views.h"
#include "plenosr/devices.h"
#include "plenosr/error.h"
#include "plenosr/noise.h"

namespace plenosr {
namespace {

const test::DegradedScene& scene() {
    static const test::DegradedScene made = [] {
        test::SceneSetup setup;
        setup.views = 3;
        setup.width = setup.height = 48;
        return test::degraded_scene(setup);
    }();
    return made;
}

ReconstructOptions quick() {
    ReconstructOptions o;
    o.iterations = 2;
    return o;
}

ReconstructResult solved(const LightFieldView& views, const ReconstructOptions& o,
                         const Progress& progress = {}) {
    return reconstruct(views, scene().centre, scene().low_disparity, o, progress);
}

TEST(Interface, MemoryOfTheCallerGivesTheSameBits) {
    // The views are of 8 bits: every second byte of rows that are stored from the last to the
    // first.
    LightFieldView views;
    views.grid = scene().views.grid;
    std::vector<std::vector<std::uint8_t>> stored;
    for (const View& view : scene().views.views) {
        const Image& image = view.image;
        std::vector<std::uint8_t>& bytes = stored.emplace_back(2 * image.values.size(), 77);
        ImageView& own = views.views.emplace_back(PlacedView{view.position, image}).image;
        own.type = SampleType::uint8;
        own.pixel_stride = 2;
        own.channel_stride = 1;
        own.row_stride = -2 * image.width;
        own.data = bytes.data() + 2 * image.width * (image.height - 1);
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x)
                bytes[std::size_t(2 * (image.width * (image.height - 1 - y) + x))] =
                    std::uint8_t(image.at(y, x));
    }
    EXPECT_EQ(solved(views, quick()).image, solved(scene().views, quick()).image);
    EXPECT_EQ(estimate_disparity(views, scene().centre, {}).disparity,
              estimate_disparity(scene().views, scene().centre, {}).disparity);
    AllViewsOptions all;
    all.reconstruct = quick();
    std::vector<Image> maps(views.views.size());
    maps[4] = scene().low_disparity;
    const auto of_bytes = reconstruct_all(views, maps, all);
    const auto of_floats = reconstruct_all(scene().views, maps, all);
    EXPECT_EQ(of_bytes.termination, Termination::finished);
    for (std::size_t k = 0; k < maps.size(); ++k)
        EXPECT_EQ(of_bytes.light_field.views[k].image, of_floats.light_field.views[k].image);
}

TEST(Interface, APoolKeepsDevicesAndChangesNothing) {
    const Image alone = solved(scene().views, quick()).image;
    ReconstructOptions o = quick();
    o.devices = std::make_shared<DevicePool>();
    for (int call = 0; call < 3; ++call) {
        EXPECT_EQ(solved(scene().views, o).image, alone);
        EXPECT_EQ(o.devices->idle(), 1U);
    }
    o.threads = 1;
    EXPECT_EQ(solved(scene().views, o).image, alone);
    EXPECT_EQ(o.devices->idle(), 2U) << "another number of threads is another device";
}

TEST(Interface, ThreadsShareAPool) {
    ReconstructOptions o = quick();
    o.threads = 1;
    const Image alone = solved(scene().views, o).image;
    o.devices = std::make_shared<DevicePool>();
    std::vector<Image> images(4);
    std::vector<std::thread> threads;
    for (Image& image : images)
        threads.emplace_back([&] { image = solved(scene().views, o).image; });
    for (std::thread& thread : threads)
        thread.join();
    for (const Image& image : images)
        EXPECT_EQ(image, alone);
    EXPECT_LE(o.devices->idle(), 4U);
}

TEST(Interface, AFailedJobGivesNoDeviceBack) {
    ReconstructOptions o = quick();
    o.devices = std::make_shared<DevicePool>();
    const Progress fail = [](const ProgressEvent& event) -> bool {
        if (event.stage == "solving") throw std::logic_error("of the callback");
        return true;
    };
    EXPECT_THROW(solved(scene().views, o, fail), std::logic_error);
    EXPECT_EQ(o.devices->idle(), 0U);
}

TEST(Interface, EveryJobWithAResultSaysThatItWasCancelled) {
    const Progress no = [](const ProgressEvent&) { return false; };
    const LightField& views = scene().views;
    const auto disparity = estimate_disparity(views, scene().centre, {}, no);
    EXPECT_EQ(disparity.termination, Termination::cancelled);
    EXPECT_TRUE(disparity.disparity.empty());
    const auto of_views = estimate_disparity_of_views(views, scene().centre, {}, no);
    EXPECT_EQ(of_views.termination, Termination::cancelled);
    EXPECT_TRUE(of_views.views.empty());
    const auto noise = estimate_noise(views, scene().centre, scene().low_disparity, {}, no);
    EXPECT_EQ(noise.termination, Termination::cancelled);
    const auto estimated = reconstruct(views, scene().centre, quick(), no);
    EXPECT_EQ(estimated.termination, Termination::cancelled);
    EXPECT_TRUE(estimated.image.empty());
    AllViewsOptions all;
    all.reconstruct = quick();
    const std::vector<Image> maps(views.views.size(), scene().low_disparity);
    const auto every = reconstruct_all(views, maps, all, no);
    EXPECT_EQ(every.termination, Termination::cancelled);
    EXPECT_TRUE(every.light_field.views.empty());
}

TEST(Interface, JobsOfDataAloneThrowIfTheyAreCancelled) {
    try {
        degrade(scene().views, {}, [](const ProgressEvent&) { return false; });
        FAIL() << "a part of the views was returned";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
}

}  // namespace
}  // namespace plenosr
