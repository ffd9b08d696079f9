#include "cli/program.h"

namespace plenosr::test {
namespace {

class UnreadFormats : public Program {
protected:
    std::string file(const std::string& file_name) const {
        put(at(file_name), "not a picture of a known format");
        return name(file_name);
    }
};

TEST_F(UnreadFormats, AVideoGetsTheCommandThatExtractsItsFrames) {
    for (const char* video : {"clip.mp4", "clip.MOV", "clip.avi", "clip.mkv"}) {
        const std::string input = file(video);
        const std::string line = "ffmpeg -i " + input + " frames/%04d.png";
        expect_refused(3, line, [&] { return run({"frames", input, "-o", name("o.png")}); });
        expect_refused(3, line, [&] { return run({"reconstruct", input, "-o", name("o.png")}); });
        expect_refused(3, line, [&] { return run({"info", input}); });
    }
    const std::string spaced = file("my clip.mp4");
    expect_refused(3, "ffmpeg -i '" + spaced + "'", [&] { return run({"info", spaced}); });
}

TEST_F(UnreadFormats, ALytroFileGetsTheNamesOfDecoders) {
    for (const char* raw : {"a.lfr", "a.lfp", "a.raw"}) {
        const std::string input = file(raw);
        for (const char* decoder : {"PlenoptiCam", "LFToolbox", ".mat file with the array LF"})
            expect_refused(3, decoder, [&] { return run({"info", input}); });
    }
}

TEST_F(UnreadFormats, OtherPicturesAreNamed) {
    for (const char* picture : {"a.webp", "a.heic"}) {
        const std::string input = file(picture);
        const std::string ending = fs::path(picture).extension().string() + " files are not read";
        expect_refused(3, ending, [&] { return run({"frames", input, "-o", name("o.png")}); });
        expect_refused(3, ending, [&] { return run({"info", input}); });
    }
}

TEST_F(UnreadFormats, AnUnknownExtensionGetsAListOfWhatIsRead) {
    const std::string input = file("a.xyz");
    expect_refused(3, "hci, ", [&] { return run({"info", input}); });
    expect_refused(3, "only PNG, JPEG", [&] {
        return run({"frames", input, "-o", name("o.png")});
    });
}

TEST_F(UnreadFormats, FilesThatAreSkippedInAFolderAreNamed) {
    file("lr/extra1.webp");
    file("lr/extra2.webp");
    file("lr/extra.heic");
    const Ended info = run({"info", name("lr")});
    EXPECT_NE(info.out.find("2 .webp files in "), std::string::npos) << info.out;
    const Ended ended = reconstruct_lr({"--iterations", "1", "--json", "-"});
    const std::string notes = nlohmann::json::parse(ended.out)["notes"].dump();
    EXPECT_NE(notes.find("1 .heic file "), std::string::npos) << notes;
    fs::create_directory(at("phone"));
    file("phone/a.heic");
    expect_refused(3, ".heic", [&] { return run({"frames", name("phone"), "-o", name("o.png")}); });
    expect_refused(3, ".heic", [&] { return run({"info", name("phone")}); });
}

}  // namespace
}  // namespace plenosr::test
