#include <hdf5.h>

#include <chrono>

#include "io/image_file.h"
#include "io/support.h"
#include "plenosr/inspect.h"

namespace plenosr::test {
namespace {

// Small files that would take minutes if the work grew faster than the number of views. The bounds
// are far above the measured times (below 1 s), and far below those of quadratic work.
class LongRun : public InFolder {
protected:
    template <class Body>
    void expect_quick(Body body) {
#if defined(__SANITIZE_ADDRESS__)
        constexpr double bound_seconds = 40;  // the sanitizers make these runs a few times slower
#else
        constexpr double bound_seconds = 20;
#endif
        const auto start = std::chrono::steady_clock::now();
        body();
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        EXPECT_LT(seconds.count(), bound_seconds);
    }
};

// Pages of 4 x 4 pixels; every pixel of page k is k modulo 256.
std::string tiff_of_pages(int pages, bool swapped, bool big, int next_of_last = -1) {
    const auto number = [&](std::uint64_t value, std::size_t bytes) {
        const std::string text = little_endian(value, bytes);
        return swapped ? std::string(text.rbegin(), text.rend()) : text;
    };
    const std::size_t wide = big ? 8 : 4;
    const auto entry = [&](std::uint64_t tag, std::uint64_t value) {
        return number(tag, 2) + number(4, 2) + number(1, wide) + number(value, 4) +
               std::string(wide - 4, '\0');
    };
    const std::size_t header = big ? 16 : 8;
    const std::size_t directory = (big ? 8 : 2) + 9 * (4 + 2 * wide) + wide;
    const std::size_t step = directory + 16;
    std::string bytes = std::string(swapped ? "MM" : "II") + number(big ? 43 : 42, 2);
    if (big) bytes += number(8, 2) + number(0, 2);
    bytes += number(header, wide);
    for (int k = 0; k < pages; ++k) {
        const std::size_t begin = header + std::size_t(k) * step;
        const std::size_t next = k + 1 < pages       ? begin + step
                                 : next_of_last >= 0 ? header + std::size_t(next_of_last) * step
                                                     : 0;
        bytes += number(9, big ? 8 : 2) + entry(256, 4) + entry(257, 4) + entry(258, 8) +
                 entry(259, 1) + entry(262, 1) + entry(273, begin + directory) + entry(277, 1) +
                 entry(278, 4) + entry(279, 16) + number(next, wide) +
                 std::string(16, char(k % 256));
    }
    return bytes;
}

TEST_F(LongRun, PagesAreReadInLinearTime) {
    put(at("a.tif"), tiff_of_pages(4000, false, false));
    expect_quick([&] {
        const LightField field = read_light_field(index_light_field(at("a.tif")));
        ASSERT_EQ(field.views.size(), 4000U);
        for (std::size_t i = 0; i < field.views.size(); ++i)
            ASSERT_EQ(field.views[i].image.at(2, 3), float(i % 256));
    });
}

TEST_F(LongRun, PagesOfEveryKindOfTiffAreRead) {
    for (const bool swapped : {false, true})
        for (const bool big : {false, true}) {
            put(at("a.tif"), tiff_of_pages(5, swapped, big));
            const io::Pages pages(at("a.tif"));
            ASSERT_EQ(pages.count(), 5);
            for (int page = 0; page < 5; ++page)
                EXPECT_EQ(pages.read(page), Image(4, 4, 1, float(page)));
        }
}

TEST_F(LongRun, PagesThatFormALoopOrLeaveTheFileAreRefused) {
    put(at("a.tif"), tiff_of_pages(3, false, false, 1));
    EXPECT_TRUE(mentions(refusal_of(ErrorKind::input, [&] { index_light_field(at("a.tif")); }),
                         "leads back"));
    put(at("a.tif"), tiff_of_pages(3, false, false, 1000));
    EXPECT_TRUE(mentions(refusal_of(ErrorKind::input, [&] { index_light_field(at("a.tif")); }),
                         "outside the file"));
    put(at("a.tif"), tiff_of_pages(10001, false, false));
    EXPECT_TRUE(mentions(refusal_of(ErrorKind::input, [&] { index_light_field(at("a.tif")); }),
                         "more than 10000 pages"));
}

TEST_F(LongRun, ManySmallViewsTakeLinearTime) {
    const auto make = [&](hsize_t side) {
        const hid_t file = H5Fcreate(at("a.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        const hsize_t shape[4] = {side, side, 1, 1};
        const hid_t space = H5Screate_simple(4, shape, nullptr);
        const hid_t data =
            H5Dcreate2(file, "LF", H5T_NATIVE_UINT8, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        std::vector<unsigned char> values(std::size_t(side * side));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<unsigned char>(i * 31);
        H5Dwrite(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(data);
        H5Sclose(space);
        H5Fclose(file);
    };
    make(300);
    expect_quick([&] {
        const LightFieldIndex index = index_light_field(at("a.h5"));
        EXPECT_EQ(index.views.size(), 90000U);
        EXPECT_FALSE(inspect_light_field(index).empty());
        const LightField field = read_light_field(index);
        EXPECT_EQ(field.views[77777].image.at(0, 0), float(77777 * 31 % 256));
        WriteLightField layout;
        layout.format = "npy";
        write_light_field(at("a.npy"), field, layout);
    });
    make(1000);
    EXPECT_TRUE(mentions(refusal_of(ErrorKind::input, [&] { index_light_field(at("a.h5")); }),
                         "1000x1000 places"));
}

TEST_F(LongRun, HugeGridsAreRefused) {
    const std::string head = R"({"plenosr_light_field": 2, )";
    const auto refused = [&](const std::string& rest) {
        put(at("lightfield.json"), head + rest);
        const auto text = refusal_of(ErrorKind::input, [&] { index_light_field(folder()); });
        EXPECT_TRUE(mentions(text, "lightfield.json") && mentions(text, "places")) << text;
    };
    write_image(at("000_000.png"), pattern(8, 8, 1));
    write_image(at("9999_9999.png"), pattern(8, 8, 1));
    const auto text = refusal_of(ErrorKind::input, [&] { index_light_field(folder()); });
    EXPECT_TRUE(mentions(text, "10000x10000 places")) << text;
    refused(R"("format": "row_col", "pixels": "8-bit", "grid": {"first_row": 0, "first_col": 0,
               "rows": 10000, "cols": 10000}})");
    refused(R"("views": [{"file": "000_000.png", "position": [-9000, 0]},
                         {"file": "9999_9999.png", "position": [9000, 700]}]})");
}

}  // namespace
}  // namespace plenosr::test
