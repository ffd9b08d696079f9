#include "cli/program.h"
#include "plenosr/frames.h"
#include "plenosr/metrics.h"

namespace plenosr::test {
namespace {

using namespace std::string_literals;

// A block of EXIF tags: make and orientation.
std::string exif(char orientation) {
    return "II*\0\x08\0\0\0\2\0\x0f\1\2\0\6\0\0\0\x26\0\0\0\x12\1\3\0\1\0\0\0"s + orientation +
           "\0\0\0\0\0\0\0Canon\0"s;
}

// A profile without tags that libpng accepts, too. The pictures of these tests are grey.
std::string profile(char fill) {
    std::string bytes = "\0\0\1\x2c"s + std::string(296, '\0');
    bytes.replace(8, 1, "\2");
    bytes.replace(12, 12, "mntrGRAYXYZ ");
    bytes.replace(36, 4, "acsp");
    bytes.replace(68, 12, "\0\0\xf6\xd6\0\1\0\0\0\0\xd3\x2d"s);  // the light D50
    bytes.replace(132, std::string::npos, std::string(300 - 132, fill));
    return bytes;
}

// The picture as a camera that was turned by 90 degrees stores it: orientation 6.
Image turned(const Image& upright) {
    Image stored(upright.height, upright.width, upright.channels);
    for (int y = 0; y < stored.height; ++y)
        for (int x = 0; x < stored.width; ++x)
            for (int c = 0; c < stored.channels; ++c)
                stored.at(y, x, c) = upright.at(x, upright.width - 1 - y, c);
    return stored;
}

std::string with_exif(const std::string& jpeg, const std::string& block) {
    const std::string content = "Exif\0\0"s + block;
    const std::size_t length = content.size() + 2;
    return jpeg.substr(0, 2) + "\xff\xe1" + char(length >> 8U) + char(length) + content +
           jpeg.substr(2);
}

class Pictures : public Program {
protected:
    // Four frames of the scene, upright and as JPEG files of a turned phone.
    void make_frames() {
        DegradeOptions options;
        const Image photo = read_image(at("hr/input_Cam004.png"));
        const LightField set = degrade_frames(crop(photo, {0, 0, 48, 40}), grid_shifts(2), options);
        fs::create_directory(at("upright"));
        fs::create_directory(at("phone"));
        for (std::size_t k = 0; k < set.views.size(); ++k) {
            const std::string name = std::to_string(k);
            ImageEncoding encoding;
            encoding.quality = 100;
            encoding.metadata.icc_profile = profile('a');
            write_image(at("phone/" + name + ".jpg"), turned(set.views[k].image), encoding);
            // What the decoder gives, so that both folders hold the same pixels.
            const Image decoded = read_image(at("phone/" + name + ".jpg"));
            Image straight(decoded.height, decoded.width, decoded.channels);
            for (int y = 0; y < straight.height; ++y)
                for (int x = 0; x < straight.width; ++x)
                    for (int c = 0; c < straight.channels; ++c)
                        straight.at(y, x, c) = decoded.at(decoded.height - 1 - x, y, c);
            write_image(at("upright/" + name + ".png"), straight);
            put(at("phone/" + name + ".jpg"),
                with_exif(take(at("phone/" + name + ".jpg")), exif('\6')));
        }
    }
    Ended frames(std::vector<std::string> words) const {
        words.insert(words.begin(), "frames");
        words.insert(words.end(), {"--scale", "2", "--iterations", "3"});
        return run(words);
    }
};

TEST_F(Pictures, ATurnedPhotoComesOutUprightWithItsMetadata) {
    make_frames();
    ASSERT_EQ(frames({name("upright"), "-o", name("a.png"), "--quiet"}).code, 0);
    for (const char* out : {"b.png", "b.tif"}) {
        const Ended ended = frames({name("phone"), "-o", name(out)});
        ASSERT_EQ(ended.code, 0) << ended.err;
        EXPECT_EQ(read_image(at(out)), read_image(at("a.png"))) << out;
        const Metadata metadata = read_metadata(at(out));
        EXPECT_EQ(metadata.icc_profile, profile('a')) << out;
        EXPECT_NE(metadata.exif.find("Canon"), std::string::npos) << out;
        EXPECT_EQ(ended.out.find("profile"), std::string::npos) << ended.out;
    }
    EXPECT_EQ(read_metadata(at("a.png")), Metadata());
}

TEST_F(Pictures, FramesOfDifferentProfilesGetANote) {
    make_frames();
    ImageEncoding other;
    other.metadata.icc_profile = profile('b');
    write_image(at("phone/2.jpg"), read_image(at("phone/2.jpg")), other);
    const Ended ended = frames({name("phone"), "-o", name("a.png")});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("1 of 4 frames, 2.jpg first, have another colour profile"),
              std::string::npos)
        << ended.out;
}

TEST_F(Pictures, ViewsOfALightFieldKeepTheirs) {
    ImageEncoding encoding;
    encoding.metadata.icc_profile = profile('v');
    for (int view = 0; view < 9; ++view) {
        const fs::path file = at("lr/input_Cam00" + std::to_string(view) + ".png");
        write_image(file, read_image(file), encoding);
    }
    ASSERT_EQ(reconstruct_lr({"--iterations", "3", "-o", name("out.jpg")}).code, 0);
    EXPECT_EQ(read_metadata(at("out.jpg")).icc_profile, profile('v'));
    ASSERT_EQ(reconstruct_lr(
                  {"--iterations", "2", "--views", "cross5", "--view", "all", "-o", name("all")})
                  .code,
              0);
    EXPECT_EQ(read_metadata(at("all/input_Cam003.png")).icc_profile, profile('v'));
}

TEST_F(Pictures, ConvertedAndDegradedPicturesKeepTheirs) {
    ImageEncoding encoding;
    for (int view = 0; view < 9; ++view) {
        const fs::path file = at("lr/input_Cam00" + std::to_string(view) + ".png");
        encoding.metadata.icc_profile = profile(char('a' + view));
        write_image(file, read_image(file), encoding);
    }
    const auto of_view = [&](const std::string& file) {
        return read_metadata(at(file)).icc_profile;
    };
    ASSERT_EQ(run({"convert", name("lr"), name("part"), "--views", "cross5"}).code, 0);
    EXPECT_EQ(of_view("part/input_Cam003.png"), profile('d'));
    ASSERT_EQ(run({"convert", name("lr"), name("linear"), "--colour-space", "linear"}).code, 0);
    EXPECT_EQ(of_view("linear/input_Cam003.png"), "");  // the values are others
    ASSERT_EQ(run({"degrade", name("lr"), "-o", name("small")}).code, 0);
    EXPECT_EQ(of_view("small/input_Cam008.png"), profile('i'));
    write_image(at("photo.jpg"), read_image(at("lr/input_Cam001.png")));
    put(at("photo.jpg"), with_exif(take(at("photo.jpg")), exif('\1')));
    ASSERT_EQ(run({"degrade", name("photo.jpg"), "-o", name("burst"), "--frames", "2"}).code, 0);
    for (const char* frame : {"burst/view_0000.png", "burst/view_0001.png"})
        EXPECT_NE(read_metadata(at(frame)).exif.find("Canon"), std::string::npos) << frame;
}

TEST_F(Pictures, ALossyResultIsComparedAsItIsStored) {
    for (const char* file : {"a.jpg", "a.webp"}) {
        const auto psnr = [&](const std::string& quality) {
            const Ended ended =
                reconstruct_lr({"-o", name(file), "--iterations", "3", "--quality", quality,
                                "--truth", name("hr/input_Cam004.png"), "--json", name("r.json")});
            EXPECT_EQ(ended.code, 0) << ended.err;
            return nlohmann::json::parse(take(at("r.json")))["psnr"].get<double>();
        };
        const double good = psnr("100");
        const double poor = psnr("10");
        EXPECT_LT(poor, good - 1) << file;
        if (file == std::string("a.webp")) continue;  // not read
        const Image truth = read_image(at("hr/input_Cam004.png"));
        EXPECT_NEAR(poor, compare(read_image(at(file)), truth).psnr, 1e-6);
    }
}

TEST_F(Pictures, TheNameDecidesTheFormat) {
    ASSERT_EQ(reconstruct_lr({"--iterations", "3", "--json", name("r.json")}).code, 0);
    const Image png = read_image(at("out.png"));
    const auto bits = [&] { return nlohmann::json::parse(take(at("r.json")))["bits"]; };
    EXPECT_EQ(bits(), 8);
    struct Case {
        const char* file;
        std::vector<std::string> more;
        const char* first_bytes;
        nlohmann::json bits;
        float error;  // against the 8-bit PNG
    };
    for (const Case& c : std::vector<Case>{{"a.pfm", {}, "P", "float", 0.51F},
                                           {"a.pfm", {"--bits", "float"}, "P", "float", 0.51F},
                                           {"a.exr", {}, "\x76\x2f\x31\x01", "float", 0.51F},
                                           {"a.tif", {}, "II*", 8, 0},
                                           {"a.tif", {"--bits", "16"}, "II*", 16, 0.51F},
                                           {"a.tiff", {"--bits", "float"}, "II*", "float", 0.51F},
                                           {"a.jpeg", {}, "\xff\xd8\xff", 8, 40},
                                           {"a.webp", {}, "RIFF", 8, -1},
                                           {"A.PNG", {"--bits", "16"}, "\x89PNG", 16, 0.51F}}) {
        std::vector<std::string> words = {"--iterations", "3",  "--json",
                                          name("r.json"), "-o", name(c.file)};
        words.insert(words.end(), c.more.begin(), c.more.end());
        const Ended ended = reconstruct_lr(words);
        ASSERT_EQ(ended.code, 0) << c.file << ended.err;
        EXPECT_TRUE(take(at(c.file)).starts_with(c.first_bytes)) << c.file;
        EXPECT_EQ(bits(), c.bits) << c.file;
        if (c.error < 0) continue;  // not read
        const Image image = read_image(at(c.file));
        ASSERT_TRUE(image.same_size(png));
        for (std::size_t i = 0; i < png.values.size(); ++i)
            ASSERT_NEAR(std::min(255.0F, std::max(0.0F, image.values[i])), png.values[i], c.error)
                << c.file;
    }
}

TEST_F(Pictures, NamesAndOptionsThatContradictAreRefused) {
    expect_refused(4, ".webp", [&] { return reconstruct_lr({"-o", name("a.gif")}); });
    expect_refused(4, "8 bits", [&] {
        return reconstruct_lr({"-o", name("a.pfm"), "--bits", "8"});
    });
    expect_refused(4, "16 bits", [&] {
        return reconstruct_lr({"-o", name("a.jpg"), "--bits", "16"});
    });
    expect_refused(2, "--quality is for", [&] { return reconstruct_lr({"--quality", "90"}); });
    for (const char* quality : {"0", "101"})
        expect_refused(2, "must be from 1 to 100", [&] {
            return reconstruct_lr({"-o", name("a.jpg"), "--quality", quality});
        });
    expect_refused(2, "both be standard output", [&] {
        return reconstruct_lr({"-o", "-", "--json", "-"});
    });
}

TEST_F(Pictures, QualityMakesSmallerFiles) {
    ASSERT_EQ(reconstruct_lr({"-o", name("a.jpg"), "--iterations", "2"}).code, 0);
    ASSERT_EQ(reconstruct_lr({"-o", name("b.jpg"), "--iterations", "2", "--quality", "30"}).code,
              0);
    EXPECT_LT(take(at("b.jpg")).size(), take(at("a.jpg")).size());
}

TEST_F(Pictures, AHyphenIsStandardOutput) {
    ASSERT_EQ(reconstruct_lr({"--iterations", "3"}).code, 0);
    const auto before = everything();
    const Ended quiet = reconstruct_lr({"--iterations", "3", "-o", "-"});
    EXPECT_EQ(quiet.code, 0) << quiet.err;
    EXPECT_EQ(quiet.out, take(at("out.png")));
    EXPECT_EQ(quiet.err, "");
    const Ended talking = run({"reconstruct", name("lr"), "-o", "-", "--iterations", "3"});
    EXPECT_EQ(talking.out, quiet.out);
    EXPECT_NE(talking.err.find("pixels (x2)"), std::string::npos) << talking.err;
    const Ended floats = reconstruct_lr({"--iterations", "3", "-o", "-", "--bits", "float"});
    EXPECT_TRUE(floats.out.starts_with("PF\n") || floats.out.starts_with("Pf\n"));
    EXPECT_EQ(everything(), before);
    // A file that standard output is redirected to is appended to, not replaced.
    const Ended appended = command({"/bin/sh", "-c",
                                    "echo before > \"$2\"; \"$0\" reconstruct \"$1\" -o - --quiet "
                                    "--iterations 3 >> \"$2\"",
                                    PLENOSR_PROGRAM, name("lr"), name("log")});
    EXPECT_EQ(appended.code, 0) << appended.err;
    EXPECT_EQ(take(at("log")), "before\n" + quiet.out);
    const Ended full = command({"/bin/sh", "-c",
                                "\"$0\" reconstruct \"$1\" -o - --quiet --iterations 3 > /dev/full",
                                PLENOSR_PROGRAM, name("lr")});
    EXPECT_EQ(full.code, 4) << full.err;
}

TEST_F(Pictures, StrayFilesOfAPatternAreLeftOutWithANote) {
    make_frames();
    put(at("notes.txt"), "a walk");
    put(at("frame.xmp"), "<x/>");
    put(at("clip.mov"), "video");
    fs::create_directory(at("empty"));
    ASSERT_EQ(frames({name("upright"), "-o", name("a.png"), "--quiet"}).code, 0);
    std::vector<std::string> words;
    for (const char* file : {"clip.mov", "upright/0.png", "upright/1.png", "notes.txt", "frame.xmp",
                             "upright/2.png", "upright/3.png", "empty"})
        words.push_back(name(file));
    words.insert(words.end(), {"-o", name("b.png")});
    const Ended ended = frames(words);
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(take(at("b.png")), take(at("a.png")));
    EXPECT_NE(ended.out.find("3 paths are left out, without pictures: notes.txt, frame.xmp, empty"),
              std::string::npos)
        << ended.out;
    EXPECT_NE(ended.out.find("clip.mov is left out: videos are not read"), std::string::npos);
    // What looks like a picture by its name, and what is the only path, is refused as before.
    put(at("broken.png"), "");
    expect_refused(3, "broken.png", [&] {
        return frames({name("upright/0.png"), name("broken.png"), "-o", name("c.png"), "--quiet"});
    });
    expect_refused(3, "notes.txt", [&] {
        return frames({name("notes.txt"), "-o", name("c.png"), "--quiet"});
    });
    expect_refused(3, "missing.png", [&] {
        return frames({name("upright/0.png"), name("missing.png"), "-o", name("c.png"), "--quiet"});
    });
}

TEST_F(Pictures, ShiftsMayBeMatricesOrFlows) {
    make_frames();
    put(at("shifts.txt"), "0 0\n0.5 0\n0 0.5\n0.5 0.5\n");
    put(at("matrices.txt"),
        "1 0 0 0 1 0\n1 0 0.5 0 1 0\n1 0 0\n0 1 0.5\n0 0 1\n1 0 0.5 0 1 0.5 0 0 1\n");
    fs::create_directory(at("flows"));
    for (const int k : {1, 2, 3}) {  // none for the reference
        Image flow(24, 20, 2);
        for (std::size_t i = 0; i < flow.values.size(); ++i)
            flow.values[i] = (i % 2 == 0 ? k % 2 : k / 2) == 1 ? 0.5F : 0.0F;
        std::string bytes = "PIEH\x18\0\0\0\x14\0\0\0"s;
        bytes.append(reinterpret_cast<const char*>(flow.values.data()),
                     flow.values.size() * sizeof(float));
        put(at("flows/" + std::to_string(k) + ".flo"), bytes);
    }
    const auto result = [&](const std::string& shifts) {
        const Ended ended = frames({name("upright"), "-o", name("a.pfm"), "--shifts", name(shifts),
                                    "--quiet", "--json", name("r.json")});
        EXPECT_EQ(ended.code, 0) << ended.err;
        return read_image(at("a.pfm"));
    };
    const Image known = result("shifts.txt");
    EXPECT_EQ(result("matrices.txt"), known);
    const Image flowed = result("flows");
    double difference = 0;
    for (std::size_t i = 0; i < known.values.size(); ++i)
        difference += std::abs(double(flowed.values[i]) - double(known.values[i]));
    EXPECT_LT(difference / double(known.values.size()), 0.05);
    EXPECT_TRUE(nlohmann::json::parse(take(at("r.json")))["frames"][3]["flow"]);
    put(at("few.txt"), "0 0\n1 0\n0 1\n");
    expect_refused(3, "3 shifts for 4 frames", [&] {
        return frames(
            {name("upright"), "-o", name("b.png"), "--shifts", name("few.txt"), "--quiet"});
    });
}

}  // namespace
}  // namespace plenosr::test
