#include <limits>

#include "cli/program.h"

namespace plenosr::test {
namespace {

class InputFault : public Program {
protected:
    void remove_maps(const std::string& folder) const {
        for (const auto& entry : fs::directory_iterator(at(folder)))
            if (entry.path().extension() == ".pfm") fs::remove(entry.path());
    }
};

TEST_F(InputFault, AMissingFolderIsNamed) {
    const std::string nowhere = name("nowhere");
    expect_refused(3, nowhere, [&] {
        return run({"reconstruct", nowhere, "-o", name("out.png"), "--scale", "2"});
    });
    expect_refused(3, nowhere, [&] { return run({"degrade", nowhere, "-o", name("l")}); });
    expect_refused(3, nowhere, [&] { return run({"info", nowhere}); });
}

TEST_F(InputFault, AFolderWithoutViewsIsNamed) {
    fs::create_directory(at("empty"));
    expect_refused(3, name("empty"), [&] { return run({"info", name("empty")}); });
}

TEST_F(InputFault, AViewThatIsNoPictureIsNamed) {
    put(at("lr/input_Cam005.png"), "this is not a picture");
    expect_refused(3, "input_Cam005.png", [&] { return reconstruct_lr({}); });
}

// Before: `frames` said that its output cannot be written, or that the solver diverged, and `info`
// called such views black.
TEST_F(InputFault, AViewWithValuesThatOverflowIsNamed) {
    for (const float value : {3e38F, -3e38F, 1e30F, 2e9F, std::numeric_limits<float>::infinity()}) {
        Image image(24, 24, 1, 60);
        image.at(7, 5) = value;
        for (const char* file : {"a.pfm", "b.pfm"})
            write_pfm(at(file), file[0] == 'a' ? image : Image(24, 24, 1, 50));
        expect_refused(3, "a.pfm cannot be read: it holds the value", [&] {
            return run({"frames", name("b.pfm"), name("a.pfm"), "-o", name("o.png"), "--quiet"});
        });
        fs::create_directory(at("set"));
        for (const char* file : {"v_0_0.pfm", "v_0_1.pfm", "v_1_0.pfm", "v_1_1.pfm"})
            write_pfm(at(std::string("set/") + file), image);
        expect_refused(3, "x = 5, y = 7", [&] {
            return run({"reconstruct", name("set"), "-o", name("o.png"), "--quiet"});
        });
        const Ended info = run({"info", name("set")});
        EXPECT_EQ(info.out.find("black"), std::string::npos) << info.out;
        EXPECT_NE(info.out.find("holds the value"), std::string::npos) << info.out;
        fs::remove_all(at("set"));
    }
    // Half floats of OpenEXR are in range.
    write_image(at("e.exr"), Image(24, 24, 1, 65504.0F * 255), PixelFormat::float32);
    EXPECT_EQ(run({"frames", name("e.exr"), "--single", "-o", name("o.exr"), "--quiet"}).code, 0);
}

// Before: 6.4 GB and 18 s, to say that its size is even.
TEST_F(InputFault, APictureThatIsTooLargeForAPsfIsNotDecoded) {
    write_image(at("psf.png"), Image(3001, 3001, 1, 1));
    expect_refused(3, "3001x3001", [&] {
        return reconstruct_lr({"--blur", "psf:" + name("psf.png")});
    });
}

TEST_F(InputFault, AMapThatCannotBeUsedIsNamedByNoiseAndAllViews) {
    Image map(24, 24);
    map.at(2, 3) = std::numeric_limits<float>::quiet_NaN();
    write_pfm(at("lr/gt_disp_lowres.pfm"), map);
    expect_refused(3, "gt_disp_lowres.pfm", [&] { return run({"noise", name("lr"), "--quiet"}); });
    for (const auto& entry : fs::directory_iterator(at("lr")))
        if (entry.path().extension() == ".pfm") write_pfm(entry.path(), map);
    expect_refused(3, ".pfm", [&] {
        return run({"reconstruct", name("lr"), "-o", name("all"), "--view", "all", "--quiet"});
    });
}

TEST_F(InputFault, ATruncatedViewIsNamed) {
    const std::string bytes = take(at("lr/input_Cam005.png"));
    put(at("lr/input_Cam005.png"), bytes.substr(0, bytes.size() / 2));
    expect_refused(3, "input_Cam005.png", [&] { return reconstruct_lr({}); });
    expect_refused(3, "input_Cam005.png", [&] {
        return run({"degrade", name("lr"), "-o", name("l"), "--quiet"});
    });
}

TEST_F(InputFault, AViewOfAnotherSizeIsNamed) {
    write_image(at("lr/input_Cam005.png"), Image(size / 2 + 1, size / 2, 1, 9));
    expect_refused(3, "input_Cam005.png", [&] { return reconstruct_lr({}); });
}

TEST_F(InputFault, AMapOfTheWrongSizeIsNamed) {
    write_pfm(at("d.pfm"), Image(size - 5, size));
    expect_refused(3, name("d.pfm"), [&] {
        return reconstruct_lr({"--disparity", name("d.pfm")});
    });
}

TEST_F(InputFault, AMapWithNanIsNamed) {
    Image map(size, size);
    map.at(3, 4) = std::numeric_limits<float>::quiet_NaN();
    write_pfm(at("d.pfm"), map);
    expect_refused(3, name("d.pfm"), [&] {
        return reconstruct_lr({"--disparity", name("d.pfm")});
    });
}

TEST_F(InputFault, AMissingMapFileIsNamed) {
    expect_refused(3, name("d.pfm"), [&] {
        return reconstruct_lr({"--disparity", name("d.pfm")});
    });
}

TEST_F(InputFault, WithoutAMapTheSentenceSaysHowToGiveOne) {
    remove_maps("lr");
    for (const char* about : {"--disparity FILE.pfm", "--disparity-from full"})
        expect_refused(3, about, [&] { return reconstruct_lr({"--disparity-from", "lowres"}); });
}

TEST_F(InputFault, WithoutARecordThereIsNoFullMap) {
    fs::remove(at("lr/lightfield.json"));
    put(at("lr/parameters.cfg"), "[extrinsics]\nnum_cams_x = 3\nnum_cams_y = 3\n");
    expect_refused(3, "full_disparity", [&] {
        return reconstruct_lr({"--scale", "2", "--disparity-from", "full"});
    });
}

TEST_F(InputFault, TheCentresMapIsNotUsedForAnotherView) {
    fs::remove(at("lr/gt_disp_lowres_Cam002.pfm"));
    expect_refused(3, "belongs to the centre view 1,1", [&] {
        return reconstruct_lr({"--view", "0,2", "--disparity-from", "lowres"});
    });
    const Ended ended = reconstruct_lr({"--view", "0,2", "--json", "-"});
    EXPECT_EQ(nlohmann::json::parse(ended.out)["disparity"]["from"], "estimate");
}

TEST_F(InputFault, AMissingViewIsNamed) {
    expect_refused(3, "7,7", [&] { return reconstruct_lr({"--views", "1,1;7,7"}); });
    expect_refused(3, "7,7", [&] { return reconstruct_lr({"--view", "7,7"}); });
}

TEST_F(InputFault, ATruthOfTheWrongSizeIsNamed) {
    write_image(at("t.png"), Image(size + 5, size, 1, 9));
    expect_refused(3, name("t.png"), [&] { return reconstruct_lr({"--truth", name("t.png")}); });
}

TEST_F(InputFault, PicturesOfDifferentSizesAreNotCompared) {
    write_image(at("t.png"), Image(size + 5, size, 1, 9));
    expect_refused(3, name("t.png"), [&] {
        return run({"evaluate", name("t.png"), name("hr/input_Cam004.png")});
    });
}

}  // namespace
}  // namespace plenosr::test
