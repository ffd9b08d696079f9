#include "base/atomic_file.h"

#include "io/support.h"

namespace plenosr::test {
namespace {

class AtomicFile : public InFolder {};

TEST_F(AtomicFile, WritesTheTextAndLeavesNoOtherFile) {
    write_text_file(at("a.json"), "{}\n");
    EXPECT_EQ(take(at("a.json")), "{}\n");
    EXPECT_EQ(entries(folder()), 1U);
    write_text_file(at("a.json"), "");
    EXPECT_EQ(take(at("a.json")), "");
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(AtomicFile, MissingParentsAreCreated) {
    write_text_file(at("x/y/z.txt"), "text");
    EXPECT_EQ(take(at("x/y/z.txt")), "text");
}

TEST_F(AtomicFile, ParentThatIsAFileIsRefused) {
    put(at("file"), "old");
    for (const char* name : {"file/a.txt", "file/b/a.txt"}) {
        const auto text = refusal_of(ErrorKind::output, [&] { write_text_file(at(name), "x"); });
        EXPECT_TRUE(mentions(text, "file")) << text;
    }
    EXPECT_EQ(take(at("file")), "old");
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(AtomicFile, FolderOfThatNameIsRefused) {
    fs::create_directory(at("a.txt"));
    refusal_of(ErrorKind::output, [&] { write_text_file(at("a.txt"), "x"); });
    refusal_of(ErrorKind::output, [&] { write_text_file(at("new/"), "x"); });
    refusal_of(ErrorKind::output, [&] { write_text_file("", "x"); });
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(AtomicFile, FailedWriteKeepsTheOldFileAndLeavesNoOther) {
    put(at("a.txt"), "old");
    {
        const FullDisk disk;
        refusal_of(ErrorKind::output,
                   [&] { write_text_file(at("a.txt"), std::string(100000, 'x')); });
        refusal_of(ErrorKind::output,
                   [&] { write_text_file(at("new.txt"), std::string(100000, 'x')); });
    }
    EXPECT_EQ(take(at("a.txt")), "old");
    EXPECT_EQ(entries(folder()), 1U);
    write_text_file(at("a.txt"), std::string(100000, 'x'));
    EXPECT_EQ(fs::file_size(at("a.txt")), 100000U);
}

TEST_F(AtomicFile, FullDeviceIsAnOutputError) {
    const auto text = refusal_of(ErrorKind::output, [] { write_text_file("/dev/full", "x"); });
    EXPECT_TRUE(mentions(text, "/dev/full")) << text;
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(AtomicFile, DevicesAreWrittenToDirectly) {
    write_text_file("/dev/null", "x");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(AtomicFile, SymbolicLinksAreKept) {
    put(at("target.txt"), "old");
    fs::create_symlink(at("target.txt"), at("link.txt"));
    write_text_file(at("link.txt"), "new");
    EXPECT_TRUE(fs::is_symlink(at("link.txt")));
    EXPECT_EQ(take(at("target.txt")), "new");
}

TEST_F(AtomicFile, KeepsThePermissionsOfAReplacedFile) {
    put(at("a.txt"), "old");
    const auto own = fs::perms::owner_read | fs::perms::owner_write;
    fs::permissions(at("a.txt"), own);
    write_text_file(at("a.txt"), "new");
    EXPECT_EQ(fs::status(at("a.txt")).permissions(), own);
}

TEST_F(AtomicFile, LongNamesAreWritten) {
    const std::string name(255, 'n');
    write_text_file(at(name), "text");
    EXPECT_EQ(take(at(name)), "text");
    refusal_of(ErrorKind::output, [&] { write_text_file(at(name + "n"), "text"); });
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(AtomicFile, PicturesThatDoNotFitLeaveNoFile) {
    Image noise(200, 200, 3);  // not compressible
    std::uint32_t state = 1;
    for (float& value : noise.values) {
        state = state * 1664525U + 1013904223U;
        value = float(state >> 24U);
    }
    const FullDisk disk;
    refusal_of(ErrorKind::output, [&] { write_image(at("a.png"), noise); });
    refusal_of(ErrorKind::output, [&] { write_pfm(at("a.pfm"), noise); });
    EXPECT_EQ(entries(folder()), 0U);
}

}  // namespace
}  // namespace plenosr::test
