#include "backends/opencl/tuning.h"

#include <cmath>

#include "backends/opencl/platforms.h"
#include "backends/opencl/tune.h"
#include "backends/opencl/tuning_store.h"
#include "base/out_of_memory.h"
#include "opencl/support.h"

namespace plenosr::test {
namespace {

using opencl::Axis;
using opencl::Strategy;
using opencl::Tuning;

DeviceDescription made_up(DeviceType type) {
    DeviceDescription d;
    d.name = "Some device";
    d.driver = "1.0";
    d.type = type;
    d.work_group_limit = 1024;
    d.local_memory = 48 << 10;
    d.vector_width = 8;
    d.images = d.float_images = true;
    d.image_width = d.image_height = 8192;
    return d;
}

TEST(DefaultTuning, FitsEveryDevice) {
    for (const DeviceType type :
         {DeviceType::gpu, DeviceType::accelerator, DeviceType::cpu, DeviceType::other})
        for (const std::size_t limit : {1U, 3U, 16U, 100U, 256U, 4096U})
            for (const std::uint64_t local : {16U << 10, 32U << 10, 512U << 10})
                for (const unsigned vector : {0U, 1U, 4U, 6U, 16U}) {
                    DeviceDescription d = made_up(type);
                    d.work_group_limit = limit;
                    d.local_memory = local;
                    d.vector_width = vector;
                    const Tuning t = opencl::default_tuning(d);
                    EXPECT_TRUE(opencl::fits(t, d)) << to_string(type) << " " << limit;
                    EXPECT_LE(opencl::staged_bytes(t), local) << to_string(type) << " " << limit;
                }
}

TEST(DefaultTuning, GpusGetGroupsOfSingleFloatsAndCpusGetVectors) {
    EXPECT_EQ(opencl::default_tuning(made_up(DeviceType::gpu)).vector, 1);
    EXPECT_GE(opencl::default_tuning(made_up(DeviceType::gpu)).group, 64);
    EXPECT_EQ(opencl::default_tuning(made_up(DeviceType::cpu)).vector, 8);
    EXPECT_EQ(opencl::default_tuning(made_up(DeviceType::cpu)).group, 1);
}

TEST(UsableStrategy, FallsBackToBuffersWithAReason) {
    const auto fallback = [](Strategy strategy, const DeviceDescription& d, int width) {
        Tuning t = opencl::default_tuning(made_up(DeviceType::gpu));
        t.strategy = strategy;
        const opencl::Usable usable = opencl::usable_strategy(t, d, width, 100);
        EXPECT_EQ(usable.reason.empty(), usable.strategy == strategy);
        EXPECT_TRUE(usable.reason.empty() || usable.strategy == Strategy::buffer);
        return usable.reason;
    };
    DeviceDescription d = made_up(DeviceType::gpu);
    for (const Strategy s : {Strategy::buffer, Strategy::image, Strategy::local})
        EXPECT_EQ(fallback(s, d, 8192), "");
    EXPECT_NE(fallback(Strategy::image, d, 8193).find("8192 x 8192"), std::string::npos);
    d.float_images = false;
    EXPECT_NE(fallback(Strategy::image, d, 10).find("one float"), std::string::npos);
    d.images = false;
    EXPECT_NE(fallback(Strategy::image, d, 10).find("no images"), std::string::npos);
    d.local_memory = 1024;
    EXPECT_NE(fallback(Strategy::local, d, 10).find("1024 bytes"), std::string::npos);
    EXPECT_EQ(fallback(Strategy::buffer, d, 100000), "");
}

// Seconds with their minimum at vector 8 and group 4; images cannot run, 16 floats do not fit.
double bowl(const Tuning& t) {
    if (t.strategy == Strategy::image) throw Error(ErrorKind::device, "no images");
    if (t.vector == 16) throw OutOfMemory("too wide");
    return 1.0 + std::abs(std::log2(t.vector / 8.0)) + std::abs(std::log2(t.group / 4.0)) +
           (t.strategy == Strategy::local ? 0.0 : 0.5);
}

std::vector<Axis> bowl_axes() {
    const auto axis = [](auto member, auto values) {
        return [=](const Tuning& best) {
            std::vector<Tuning> list;
            for (const auto value : values) {
                list.push_back(best);
                list.back().*member = value;
            }
            return list;
        };
    };
    return {
        axis(&Tuning::strategy, std::vector{Strategy::buffer, Strategy::image, Strategy::local}),
        axis(&Tuning::vector, std::vector{1, 4, 8, 16}),
        axis(&Tuning::group, std::vector{1, 4, 16})};
}

TEST(Tune, FindsTheBestAlongTheAxesWithoutMeasuringTwice) {
    Tuning start;
    start.strategy = Strategy::buffer;
    start.vector = 1;
    start.group = 1;
    std::vector<Tuning> measured;
    int watched = 0;
    const opencl::TuneSearch search = opencl::tune(
        start, bowl_axes(),
        [&](const Tuning& t) {
            for (const Tuning& before : measured)
                EXPECT_FALSE(before == t);
            measured.push_back(t);
            return bowl(t);
        },
        [&](const opencl::Trial&) { ++watched; });
    const opencl::Trial& best = search.trials[search.best];
    EXPECT_EQ(best.tuning.strategy, Strategy::local);
    EXPECT_EQ(best.tuning.vector, 8);
    EXPECT_EQ(best.tuning.group, 4);
    EXPECT_EQ(best.seconds, 1.0);
    EXPECT_EQ(search.trials.size(), 8U);  // 1 + 2 + 3 + 2
    EXPECT_EQ(watched, 8);
    int failures = 0;
    for (const opencl::Trial& trial : search.trials)
        failures += trial.failure.empty() ? 0 : 1;
    EXPECT_EQ(failures, 2);
}

TEST(Tune, ACandidateMustBeFasterByMoreThanTheScatter) {
    const opencl::TuneSearch search =
        opencl::tune({}, bowl_axes(), [](const Tuning& t) { return t == Tuning{} ? 1.0 : 0.99; });
    EXPECT_EQ(search.best, 0U);
}

TEST(Tune, TheAxesContainOnlyWhatTheDeviceCanRun) {
    DeviceDescription d = made_up(DeviceType::gpu);
    d.images = false;
    d.work_group_limit = 128;
    std::size_t offered = 0;
    for (const Axis& axis : opencl::tuning_axes(d))
        for (const Tuning& t : axis(opencl::default_tuning(d))) {
            EXPECT_TRUE(opencl::fits(t, d));
            EXPECT_NE(t.strategy, Strategy::image);
            ++offered;
        }
    EXPECT_GE(offered, 8U);
}

class TuningStore : public ::testing::Test {
protected:
    TuningStore() {
        other_.driver = "2.0";
        tuned_.strategy = Strategy::image;
        tuned_.vector = 4;
        tuned_.tile_width = 64;
        tuned_.tile_height = 2;
        tuned_.cell_height = 9;
    }
    Folder folder_;
    Environment cache_{"PLENOSR_CACHE", folder_.path().c_str()};
    DeviceDescription device_ = made_up(DeviceType::gpu);
    DeviceDescription other_ = device_;
    Tuning tuned_;
};

TEST_F(TuningStore, ReturnsTheTuningOfThatDeviceAndDriver) {
    EXPECT_EQ(opencl::stored_tuning(device_), std::nullopt);
    opencl::store_tuning(device_, tuned_);
    EXPECT_EQ(opencl::stored_tuning(device_), tuned_);
    EXPECT_EQ(opencl::tuning_for(device_), tuned_);
    EXPECT_EQ(opencl::stored_tuning(other_), std::nullopt);
    EXPECT_EQ(opencl::tuning_for(other_), opencl::default_tuning(other_));
    opencl::store_tuning(other_, Tuning{});
    EXPECT_EQ(opencl::stored_tuning(other_), Tuning{});
    EXPECT_EQ(opencl::stored_tuning(device_), tuned_);
}

TEST_F(TuningStore, AnEntryThatIsDamagedOrDoesNotFitCountsAsMissing) {
    opencl::store_tuning(device_, tuned_);
    const std::string whole = read_bytes(opencl::tuning_file());
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = whole;
        const std::size_t place = text.find(from);
        EXPECT_NE(place, std::string::npos) << from;
        return text.replace(place, from.size(), to);
    };
    for (const std::string& text :
         {std::string(), std::string("{"), std::string("[]"), std::string(R"({"devices": 3})"),
          whole.substr(0, whole.size() / 2), with("\"image\"", "\"texture\""),
          with("\"vector\": 4", "\"vector\": 5"), with("\"vector\": 4", "\"vector\": \"4\""),
          with("\"tile_width\": 64", "\"tile_width\": 100000"),
          with("\"groups\": 256", "\"groups\": 0")}) {
        write_bytes(opencl::tuning_file(), text);
        EXPECT_EQ(opencl::stored_tuning(device_), std::nullopt) << text;
        opencl::store_tuning(device_, tuned_);
        EXPECT_EQ(opencl::stored_tuning(device_), tuned_);
    }
}

TEST_F(TuningStore, AFileThatCannotBeWrittenIsAnOutputError) {
    write_bytes(folder_.path() / "file", "x");
    const Environment blocked("PLENOSR_CACHE", (folder_.path() / "file" / "below").c_str());
    refusal(ErrorKind::output, [&] { opencl::store_tuning(device_, tuned_); });
}

}  // namespace
}  // namespace plenosr::test
