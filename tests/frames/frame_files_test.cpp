#include <gtest/gtest.h>

#include <fstream>

#include "frames/photo.h"
#include "io/support.h"
#include "plenosr/error.h"
#include "plenosr/io.h"

namespace plenosr {
namespace {

namespace fs = std::filesystem;

class FrameFileNames : public test::InFolder {};

TEST_F(FrameFileNames, AFolderIsReadInNumericalOrder) {
    for (const int i : {10, 9, 1, 2})
        write_image(folder() / ("shot" + std::to_string(i) + ".png"), Image(4, 3, 1, float(i)));
    const FrameFiles files = list_frames({folder()});
    ASSERT_EQ(files.frames.size(), 4U);
    const std::vector<Image> frames = read_frames(files);
    EXPECT_EQ(frames[0].at(0, 0), 1.0F);
    EXPECT_EQ(frames[1].at(0, 0), 2.0F);
    EXPECT_EQ(frames[2].at(0, 0), 9.0F);
    EXPECT_EQ(frames[3].at(0, 0), 10.0F);
}

TEST_F(FrameFileNames, FramesOfDifferentSizesAreRejected) {
    write_image(folder() / "a.png", Image(4, 3));
    write_image(folder() / "b.png", Image(4, 4));
    EXPECT_THROW(read_frames(list_frames({folder() / "a.png", folder() / "b.png"})), Error);
    EXPECT_THROW(list_frames({folder() / "nothing.png"}), Error);
    fs::create_directory(folder() / "empty");
    EXPECT_THROW(list_frames({folder() / "empty"}), Error);
}

TEST_F(FrameFileNames, ShiftsAreLinesOfTwoNumbers) {
    const auto written = [&](const std::string& text) {
        const fs::path file = folder() / "shifts.txt";
        std::ofstream(file) << text;
        return file;
    };
    EXPECT_EQ(read_shifts(written("# of the frames\n0 0\n0.5, -0.25 # the second\n\n1e-1\t2\n")),
              (std::vector<Place>{{0, 0}, {0.5, -0.25}, {0.1, 2}}));
    for (const char* bad : {"", "# none\n", "1\n", "1 2 3\n", "1 x\n", "nan 1\n", "1e9 0\n"})
        EXPECT_THROW(read_shifts(written(bad)), Error) << bad;
}

TEST_F(FrameFileNames, TheOutputOfDegradeRecordsShiftsAndScale) {
    const auto shifts = grid_shifts(3);
    const DegradeOptions options = test::degradation(3, 1);
    WriteLightField layout;
    layout.format = "list";
    layout.degradation = DegradationRecord{options, "photo.png", {}};
    write_light_field(folder() / "set", degrade_frames(test::photo(60, 45), shifts, options),
                      layout);
    EXPECT_EQ(read_shifts(folder() / "set" / "lightfield.json"), shifts);
    const FrameFiles files = list_frames({folder() / "set"});
    EXPECT_EQ(files.frames.size(), 9U);
    ASSERT_TRUE(files.degradation.has_value());
    EXPECT_EQ(files.degradation->scale, 3);
}

}  // namespace
}  // namespace plenosr
