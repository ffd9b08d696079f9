#include <hdf5.h>
#include <matio.h>

#include <cstring>

#include "io/array_views.h"
#include "io/hdf5_file.h"
#include "io/npy_header.h"
#include "io/support.h"

namespace plenosr::test {
namespace {

// 2 x 3 views of 5 x 4 pixels with 3 channels. The value of an element depends on its indices.
constexpr int rows = 2, cols = 3, height = 4, width = 5, channels = 3;

std::uint8_t element(int r, int c, int y, int x, int k) {
    return std::uint8_t((r * 97 + c * 41 + y * 23 + x * 7 + k * 3) % 251);
}

class Arrays : public InFolder {
protected:
    void expect_views(const std::string& name, double factor = 1, const OpenOptions& options = {}) {
        SCOPED_TRACE(name);
        const LightField field = read_light_field(index_light_field(at(name), options));
        ASSERT_EQ(field.views.size(), std::size_t(rows * cols));
        EXPECT_EQ(field.width(), width);
        EXPECT_EQ(field.height(), height);
        ASSERT_EQ(field.channels(), channels);
        for (const View& view : field.views)
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x)
                    for (int k = 0; k < channels; ++k)
                        ASSERT_FLOAT_EQ(view.image.at(y, x, k),
                                        float(factor * element(int(view.position.row),
                                                               int(view.position.col), y, x, k)));
    }
    void put_npy(const std::string& name, const std::string& descr, bool fortran,
                 const std::string& shape, const std::string& elements) {
        std::string text = "{'descr': '" + descr +
                           "', 'fortran_order': " + (fortran ? "True" : "False") +
                           ", 'shape': " + shape + ", }";
        text += std::string(63 - (10 + text.size()) % 64, ' ') + "\n";
        std::string header("\x93NUMPY\x01\x00", 8);
        header += {char(text.size() & 0xFFU), char(text.size() >> 8U)};
        put(at(name), header + text + elements);
    }
};

// BasicLFSR: the luma of all views side by side, x before y.
class BasicLfsr : public InFolder {
protected:
    static constexpr int grid_rows = 5, grid_cols = 5, low_width = 4, low_height = 3;

    static float value(int r, int c, int y, int x, int scale) {
        return float(r * 97 + c * 41 + y * 7 + x * 3 + scale) / 1000.0F;
    }
    static std::vector<float> mosaic(int scale) {
        const int view_width = scale * low_width;
        const int view_height = scale * low_height;
        std::vector<float> values;
        for (int x = 0; x < grid_cols * view_width; ++x)
            for (int y = 0; y < grid_rows * view_height; ++y)
                values.push_back(
                    value(y / view_height, x / view_width, y % view_height, x % view_width, scale));
        return values;
    }
    void write(const std::string& name) {
        const std::vector<float> low = mosaic(1);
        const std::vector<float> high = mosaic(2);
        io::Hdf5Content content;
        const auto add = [&](const char* array, const std::vector<float>& values, int scale) {
            content.arrays.push_back(
                {array,
                 {grid_cols * scale * low_width, grid_rows * scale * low_height},
                 io::Element::float32,
                 values.data(),
                 {}});
        };
        add("Hr_SAI_y", high, 2);
        add("Lr_SAI_y", low, 1);
        put(at(name), io::encode_hdf5(at(name), content));
    }
};

TEST_F(BasicLfsr, FilesAreReadAsTheReducedOrTheOriginalViews) {
    write("test.h5");
    for (const int scale : {1, 2}) {
        OpenOptions options;
        if (scale == 2) options.format = "basiclfsr_hr";
        const LightFieldIndex index = index_light_field(at("test.h5"), options);
        EXPECT_EQ(index.format, scale == 1 ? "basiclfsr" : "basiclfsr_hr");
        const LightField field = read_light_field(index);
        ASSERT_EQ(field.views.size(), 25U);
        ASSERT_EQ(field.width(), scale * low_width);
        ASSERT_EQ(field.height(), scale * low_height);
        for (const View& view : field.views)
            for (int y = 0; y < field.height(); ++y)
                for (int x = 0; x < field.width(); ++x)
                    ASSERT_FLOAT_EQ(
                        view.image.at(y, x),
                        255 * value(int(view.position.row), int(view.position.col), y, x, scale));
    }
}

TEST_F(BasicLfsr, AGridThatDoesNotFitIsRefused) {
    write("test.h5");
    OpenOptions options;
    options.rows = options.cols = 7;
    const auto message =
        refusal_of(ErrorKind::input, [&] { index_light_field(at("test.h5"), options); });
    EXPECT_TRUE(mentions(message, "--grid")) << message;
    EXPECT_TRUE(mentions(message, "20x15")) << message;
}

TEST_F(BasicLfsr, MosaicsOfLytroViewsNeedNoGrid) {
    write_image(at("mosaic.png"), Image(2 * 541, 2 * 376, 1, 60));
    const LightFieldIndex index = index_light_field(at("mosaic.png"));
    EXPECT_EQ(index.format, "mosaic");
    EXPECT_EQ(index.grid, (ViewGrid{0, 0, 2, 2}));
    EXPECT_EQ(index.image.width, 541);
    write_image(at("other.png"), Image(2 * 541, 2 * 375, 1, 60));
    refusal_of(ErrorKind::input, [&] { index_light_field(at("other.png")); });
}

// The elements in C order: the last axis is contiguous.
template <class Stored = std::uint8_t>
std::string c_order(bool channels_before_pixels = false) {
    std::string bytes;
    const auto add = [&](int r, int c, int y, int x, int k) {
        const Stored value = Stored(element(r, c, y, x, k));
        bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) {
            if (channels_before_pixels)
                for (int k = 0; k < channels; ++k)
                    for (int y = 0; y < height; ++y)
                        for (int x = 0; x < width; ++x)
                            add(r, c, y, x, k);
            else
                for (int y = 0; y < height; ++y)
                    for (int x = 0; x < width; ++x)
                        for (int k = 0; k < channels; ++k)
                            add(r, c, y, x, k);
        }
    return bytes;
}

std::vector<std::uint8_t> fortran_order() {
    std::vector<std::uint8_t> values;
    for (int k = 0; k < channels; ++k)
        for (int x = 0; x < width; ++x)
            for (int y = 0; y < height; ++y)
                for (int c = 0; c < cols; ++c)
                    for (int r = 0; r < rows; ++r)
                        values.push_back(element(r, c, y, x, k));
    return values;
}

TEST_F(Arrays, NpyInEveryOrderAndType) {
    put_npy("c.npy", "|u1", false, "(2, 3, 4, 5, 3)", c_order());
    expect_views("c.npy");
    const auto fortran = fortran_order();
    put_npy("f.npy", "|u1", true, "(2, 3, 4, 5, 3)", {fortran.begin(), fortran.end()});
    expect_views("f.npy");
    put_npy("first.npy", "|u1", false, "(2, 3, 3, 4, 5)", c_order(true));
    expect_views("first.npy");
    put_npy("u2.npy", "<u2", false, "(2, 3, 4, 5, 3)", c_order<std::uint16_t>());
    expect_views("u2.npy", 255.0 / 65535);
    put_npy("f4.npy", "<f4", false, "(2, 3, 4, 5, 3)", c_order<float>());
    expect_views("f4.npy", 255);
    put_npy("f8.npy", "<f8", false, "(2, 3, 4, 5, 3)", c_order<double>());
    expect_views("f8.npy", 255);
    std::string big = c_order<double>();
    for (std::size_t i = 0; i < big.size(); i += 8)
        std::reverse(big.begin() + std::ptrdiff_t(i), big.begin() + std::ptrdiff_t(i + 8));
    put_npy("big.npy", ">f8", false, "(2, 3, 4, 5, 3)", big);
    expect_views("big.npy", 255);
}

TEST_F(Arrays, ListOfViewsTakesItsGridFromTheUser) {
    // [view, y, x, channel] is recognised if there are more than 4 pixels along x.
    put_npy("list.npy", "|u1", false, "(6, 4, 5, 3)", c_order());
    OpenOptions options;
    options.rows = rows;
    options.cols = cols;
    expect_views("list.npy", 1, options);
    EXPECT_EQ(index_light_field(at("list.npy")).grid, (ViewGrid{0, 0, 1, 6}));
}

TEST_F(Arrays, WrongNpyHeadersAreRefused) {
    const std::string data = c_order();
    const auto refused = [&](const std::string& descr, const std::string& shape,
                             const std::string& word) {
        put_npy("a.npy", descr, false, shape, data);
        const auto text = refusal_of(ErrorKind::input, [&] { index_light_field(at("a.npy")); });
        EXPECT_TRUE(mentions(text, "a.npy") && mentions(text, word)) << shape << ": " << text;
    };
    refused("|u1", "(2, 3, 4, 5, 4)", "bytes");
    refused("|u1", "(2, 3, 4, 5, 2)", "bytes");
    refused("|u1", "(100000, 100000, 60000, 60000, 3)", "shape");
    refused("|u1", "(500, 500, 60000, 60000, 3)", "bytes");
    refused("|u1", "(10000, 10000, 60000, 60000, 3)", "places");
    refused("|u1", "(9223372036854775807, 9223372036854775807, 2, 2, 3)", "shape");
    refused("|u1", "(99999999999999999999, 3, 4, 5, 3)", "shape");
    refused("|u1", "(-2, 3, 4, 5, 3)", "shape");
    refused("|u1", "(0, 3, 4, 5, 3)", "shape");
    refused("|u1", "(360,)", "shape");
    refused("|u1", "()", "shape");
    refused("|u1", "(2, 3, 4, 5, 7)", "shape");
    refused("|i1", "(2, 3, 4, 5, 3)", "|i1");
    refused("|O", "(2, 3, 4, 5, 3)", "|O");
    refused("<U8", "(2, 3, 4, 5, 3)", "<U8");
}

TEST_F(Arrays, TruncatedNpyIsRefused) {
    put_npy("whole.npy", "|u1", false, "(2, 3, 4, 5, 3)", c_order());
    const std::string whole = take(at("whole.npy"));
    for (std::size_t size = 1; size < whole.size(); size += 1 + size / 8) {
        put(at("a.npy"), whole.substr(0, size));
        refusal_of(ErrorKind::input, [&] { index_light_field(at("a.npy")); });
    }
    put(at("a.npy"), whole + "more");
    refusal_of(ErrorKind::input, [&] { index_light_field(at("a.npy")); });
}

TEST_F(Arrays, MatlabFilesOfBothVersions) {
    auto values = fortran_order();
    std::vector<double> doubles(values.begin(), values.end());
    for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
        for (const bool compressed : {false, true}) {
            for (const bool as_double : {false, true}) {
                SCOPED_TRACE(std::to_string(version) + (compressed ? " compressed" : ""));
                fs::remove(at("a.mat"));
                mat_t* file = Mat_CreateVer(at("a.mat").c_str(), nullptr, version);
                ASSERT_NE(file, nullptr);
                std::size_t dims[5] = {rows, cols, height, width, channels};
                double other = 3;
                std::size_t one[2] = {1, 1};
                matvar_t* scale =
                    Mat_VarCreate("scale", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one, &other, 0);
                matvar_t* views = as_double ? Mat_VarCreate("LF", MAT_C_DOUBLE, MAT_T_DOUBLE, 5,
                                                            dims, doubles.data(), 0)
                                            : Mat_VarCreate("LF", MAT_C_UINT8, MAT_T_UINT8, 5, dims,
                                                            values.data(), 0);
                const auto how = compressed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE;
                ASSERT_EQ(Mat_VarWrite(file, scale, how), 0);
                ASSERT_EQ(Mat_VarWrite(file, views, how), 0);
                Mat_VarFree(scale);
                Mat_VarFree(views);
                Mat_Close(file);
                EXPECT_EQ(index_light_field(at("a.mat")).format, "mat");
                expect_views("a.mat", as_double ? 255 : 1);

                // Truncated at several places.
                const std::string whole = take(at("a.mat"));
                for (std::size_t part = 0; part < 12; ++part) {
                    put(at("cut.mat"), whole.substr(0, whole.size() * part / 12));
                    refusal_of(ErrorKind::input,
                               [&] { read_light_field(index_light_field(at("cut.mat"))); });
                }
            }
        }
    }
}

TEST_F(Arrays, Hdf5OfHci2013HasMirroredColumnsAndDepth) {
    const std::string views = c_order();
    std::vector<float> depth(std::size_t(rows * cols * height * width));
    for (std::size_t i = 0; i < depth.size(); ++i)
        depth[i] = 2.0F + float(i) / 50;
    io::Hdf5Content content;
    content.arrays.push_back(
        {"LF", {rows, cols, height, width, channels}, io::Element::uint8, views.data(), {}});
    content.arrays.push_back(
        {"GT_DEPTH", {rows, cols, height, width}, io::Element::float32, depth.data(), {}});
    content.attributes = {{"dH", 0.05}, {"focalLength", 100}, {"shift", 1.5}};
    put(at("a.h5"), io::encode_hdf5("a.h5", content));
    const LightFieldIndex index = index_light_field(at("a.h5"));
    EXPECT_EQ(index.parameters.at("hdf5.focalLength"), "100");
    const LightField field = read_light_field(index);
    EXPECT_EQ(field.find({1, 0})->image.at(2, 3, 1), element(1, cols - 1, 2, 3, 1));
    const Image map = read_disparity(index, {1, 0});
    const std::size_t at_view = std::size_t((1 * cols + cols - 1) * height * width);
    EXPECT_NEAR(map.at(2, 3), 0.05 * 100 / double(depth[at_view + 2 * width + 3]) - 1.5, 1e-5);
}

TEST_F(Arrays, DamagedHdf5IsRefused) {
    const std::string views = c_order();
    io::Hdf5Content content;
    content.arrays.push_back({"LF",
                              {rows, cols, height, width, channels},
                              io::Element::uint8,
                              views.data(),
                              {1, 1, height, width, channels}});
    const std::string whole = io::encode_hdf5("a.h5", content);
    put(at("a.h5"), whole);
    expect_views("a.h5");
    for (std::size_t size = 8; size < whole.size(); size += 1 + size / 4) {
        put(at("a.h5"), whole.substr(0, size));
        const auto text =
            refusal_of(ErrorKind::input, [&] { read_light_field(index_light_field(at("a.h5"))); });
        EXPECT_TRUE(mentions(text, "a.h5")) << text;
    }
    content.arrays[0].name = "other";
    content.arrays[0].shape = {rows * cols, height * width * channels};
    content.arrays[0].chunk = {};
    put(at("a.h5"), io::encode_hdf5("a.h5", content));
    EXPECT_TRUE(mentions(refusal_of(ErrorKind::input, [&] { index_light_field(at("a.h5")); }),
                         "no array LF"));
}

TEST_F(Arrays, Hdf5SizesBeyondTheFileAreRefusedBeforeReading) {
    // A dataset without data takes no space in the file, whatever its shape is.
    const hid_t file = H5Fcreate(at("a.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t shape[5] = {9, 9, 60000, 60000, 3};
    const hid_t space = H5Screate_simple(5, shape, nullptr);
    const hid_t data =
        H5Dcreate2(file, "LF", H5T_NATIVE_UINT8, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dclose(data);
    H5Sclose(space);
    H5Fclose(file);
    ASSERT_LT(fs::file_size(at("a.h5")), 100000U);
    const auto text = refusal_of(ErrorKind::input, [&] { index_light_field(at("a.h5")); });
    EXPECT_TRUE(mentions(text, "only 0 are stored")) << text;
}

TEST_F(Arrays, DamagedArchivesAreRefused) {
    put(at("a.npz"), "PK\x03\x04 and then nothing of an archive");
    const auto text = refusal_of(ErrorKind::input, [&] { index_light_field(at("a.npz")); });
    EXPECT_TRUE(mentions(text, "ZIP")) << text;
}

}  // namespace
}  // namespace plenosr::test
