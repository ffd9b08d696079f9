#include <hdf5.h>

#include <functional>

#include "io/support.h"

namespace plenosr::test {
namespace {

// HDF5 files that reach outside themselves, or claim more than they hold.
class HostileHdf5 : public InFolder {
protected:
    static constexpr hsize_t elements = 2 * 2 * 8 * 8;

    struct Made {
        std::string name = "LF";
        std::vector<hsize_t> shape = {2, 2, 8, 8};
        std::vector<hsize_t> most = {};  // the largest shape; empty: `shape`
        hid_t type = H5T_NATIVE_UINT8;
        std::function<void(hid_t)> plan = [](hid_t) {};  // sets the creation properties
        bool written = true;
        hsize_t user_block = 0;
    };
    fs::path make(const std::string& file, const std::vector<Made>& datasets) {
        const hid_t layout = H5Pcreate(H5P_FILE_CREATE);
        H5Pset_userblock(layout, datasets.front().user_block);
        const hid_t out = H5Fcreate(at(file).c_str(), H5F_ACC_TRUNC, layout, H5P_DEFAULT);
        for (const Made& made : datasets) {
            const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
            made.plan(plan);
            const hid_t space = H5Screate_simple(int(made.shape.size()), made.shape.data(),
                                                 made.most.empty() ? nullptr : made.most.data());
            const hid_t data = H5Dcreate2(out, made.name.c_str(), made.type, space, H5P_DEFAULT,
                                          plan, H5P_DEFAULT);
            EXPECT_GE(data, 0);
            if (made.written) {
                const std::vector<unsigned char> bytes(
                    std::size_t(H5Sget_simple_extent_npoints(space)), 77);
                EXPECT_GE(
                    H5Dwrite(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()),
                    0);
            }
            H5Dclose(data);
            H5Sclose(space);
            H5Pclose(plan);
        }
        H5Fclose(out);
        H5Pclose(layout);
        return at(file);
    }
    void expect_refused(const fs::path& file, const std::vector<std::string>& words,
                        std::uint64_t memory_limit = 0) {
        OpenOptions options;
        options.memory_limit = memory_limit;
        const auto text = refusal_of(ErrorKind::input, [&] {
            const LightFieldIndex index = index_light_field(file, options);
            read_light_field(index);
            read_disparity(index, index.grid.centre());
        });
        EXPECT_TRUE(mentions(text, file.filename().string())) << text;
        for (const std::string& word : words)
            EXPECT_TRUE(mentions(text, word)) << word << ": " << text;
    }
};

using Plan = std::function<void(hid_t)>;

Plan in_blocks(const std::vector<hsize_t>& shape) {
    return [shape](hid_t plan) { H5Pset_chunk(plan, int(shape.size()), shape.data()); };
}

Plan deflated(const std::vector<hsize_t>& shape) {
    return [shape](hid_t plan) {
        H5Pset_chunk(plan, int(shape.size()), shape.data());
        H5Pset_deflate(plan, 9);
    };
}

TEST_F(HostileHdf5, ExternalStorageIsRefused) {
    put(at("secret"), std::string(elements, 's'));
    ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
    for (const char* other : {"secret", "pipe"}) {
        Made made;
        made.written = false;
        made.plan = [&](hid_t plan) { H5Pset_external(plan, at(other).c_str(), 0, elements); };
        expect_refused(make("a.h5", {made}), {"LF", "external storage"});
        // Beside an array of views that is in order, and in a file of MATLAB 7.3.
        made.name = "disparity";
        made.shape = {8, 32};
        expect_refused(make("b.h5", {Made(), made}), {"disparity", "external storage"});
        made.name = "LF";
        made.shape = {2, 2, 8, 8};
        made.user_block = 512;
        const fs::path matlab = make("a.mat", {made});
        std::fstream head(matlab, std::ios::binary | std::ios::in | std::ios::out);
        head << "MATLAB 7.3 MAT-file" << std::flush;
        expect_refused(matlab, {"LF", "external storage"});
    }
}

TEST_F(HostileHdf5, VirtualLayoutsAreRefused) {
    const std::vector<hsize_t> unlimited = {H5S_UNLIMITED, 2, 8, 8};
    for (const bool grows : {false, true}) {
        for (const std::string& source : {std::string("."), at("other.h5").string()}) {
            Made made;
            made.written = false;
            if (grows) made.most = unlimited;
            made.plan = [&](hid_t plan) {
                const hid_t space =
                    H5Screate_simple(4, made.shape.data(), grows ? made.most.data() : nullptr);
                if (grows) {
                    const hsize_t begin[4] = {0, 0, 0, 0};
                    const hsize_t step[4] = {2, 1, 1, 1};
                    const hsize_t count[4] = {H5S_UNLIMITED, 1, 1, 1};
                    const hsize_t block[4] = {2, 2, 8, 8};
                    H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, step, count, block);
                }
                EXPECT_GE(H5Pset_virtual(plan, space, source.c_str(), "LF", space), 0);
                H5Sclose(space);
            };
            expect_refused(make("a.h5", {made}), {"LF", "virtual layout"});
        }
    }
}

// "outer/LF" is read as a path through the link "outer" into another file.
TEST_F(HostileHdf5, LinksToOtherFilesAreNotFollowed) {
    make("other.h5", {Made()});
    Made made;
    made.name = "outer_LF";
    const fs::path file = make("a.h5", {made});
    const hid_t out = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Lcreate_external("other.h5", "/", out, "outer", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(out);
    EXPECT_EQ(index_light_field(file).views.size(), 4U);
    std::string bytes = take(file);
    for (std::size_t at = bytes.find("outer_LF"); at != std::string::npos;
         at = bytes.find("outer_LF"))
        bytes[at + 5] = '/';
    put(file, bytes);
    expect_refused(file, {"no array LF", "links are not followed"});

    const hid_t soft = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("other.h5", "/LF", soft, "LF", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(soft);
    expect_refused(file, {"no array LF", "links are not followed"});
}

TEST_F(HostileHdf5, OtherFiltersAndRepeatedCompressionAreRefused) {
    Made made;
    made.plan = [](hid_t plan) {
        in_blocks({1, 1, 8, 8})(plan);
        constexpr H5Z_filter_t of_a_plugin = 32015;
        H5Pset_filter(plan, of_a_plugin, H5Z_FLAG_OPTIONAL, 0, nullptr);
    };
    expect_refused(make("a.h5", {made}), {"LF", "filter 32015"});
    made.plan = [](hid_t plan) {
        deflated({1, 1, 8, 8})(plan);
        H5Pset_deflate(plan, 9);
    };
    expect_refused(make("a.h5", {made}), {"LF", "at most once"});
}

TEST_F(HostileHdf5, ArraysLargerThanWhatIsStoredAreRefused) {
    Made made;
    made.shape = {9, 9, 3000, 3000};
    made.written = false;
    for (const Plan& plan : {in_blocks({1, 1, 500, 500}), deflated({1, 1, 500, 500})}) {
        made.plan = plan;
        expect_refused(make("a.h5", {made}), {"LF", "[9, 9, 3000, 3000]", "0 are stored"});
    }
    // A map takes memory of its own.
    made.name = "disparity";
    made.shape = {30000, 30000};
    made.type = H5T_NATIVE_DOUBLE;
    made.plan = in_blocks({64, 64});
    expect_refused(make("a.h5", {Made(), made}), {"disparity", "0 are stored"});
    made.shape = {60000, 60000};
    expect_refused(make("a.h5", {Made(), made}), {"disparity", "60000x60000"});
}

TEST_F(HostileHdf5, BlocksLargerThanMemoryAreRefused) {
    Made made;
    made.plan = deflated({1, 1, 4000, 4000});
    made.most = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED};
    made.shape = {1, 1, 8, 8};
    const fs::path file = make("a.h5", {made});
    ASSERT_LT(fs::file_size(file), 100000U);
    expect_refused(file, {"a block of its dataset LF", "memory"}, 20'000'000);
    EXPECT_EQ(read_light_field(index_light_field(file)).views.front().image.at(3, 3), 77);
}

TEST_F(HostileHdf5, GroupsWithTooManyEntriesAreRefused) {
    const fs::path file = make("a.h5", {Made()});
    const hid_t out = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    for (int i = 0; i < 10000; ++i)
        H5Lcreate_soft("LF", out, std::to_string(i).c_str(), H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(out);
    expect_refused(file, {"more than 10000 entries"});
}

// Whatever the blocks are, views are the same.
TEST_F(HostileHdf5, ViewsMayShareBlocks) {
    Made made;
    const LightField expected = read_light_field(index_light_field(make("a.h5", {made})));
    for (const Plan& plan :
         {in_blocks({2, 2, 8, 8}), deflated({2, 2, 8, 8}), deflated({1, 2, 3, 8})}) {
        made.plan = plan;
        const LightField field = read_light_field(index_light_field(make("b.h5", {made})));
        ASSERT_EQ(field.views.size(), expected.views.size());
        for (std::size_t i = 0; i < field.views.size(); ++i)
            EXPECT_EQ(field.views[i].image, expected.views[i].image);
    }
}

}  // namespace
}  // namespace plenosr::test
