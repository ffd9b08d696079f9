#include "io/npy.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/atomic_file.h"
#include "io/array_views.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "io/npy_header.h"
#include "plenosr/error.h"

// NPY, one array of all views, and NPZ, a ZIP archive of such arrays.

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
    throw Error(ErrorKind::input,
                fmt::format("The file {} cannot be read: {}.", file.string(), why));
}

void require_length(const fs::path& file, const NpyHeader& header, double there) {
    const double expected = bytes_of(header.shape, header.element);
    if (expected != there - double(header.size)) {
        refuse(file, fmt::format("an array of the shape [{}] takes {:.0f} bytes after the header, "
                                 "but there are {:.0f}",
                                 fmt::join(header.shape, ", "), expected,
                                 std::max(0.0, there - double(header.size))));
    }
}

// In this machine's byte order.
void swap_elements(const NpyHeader& header, std::string& bytes) {
    if (!header.swap_bytes) return;
    const std::size_t size = size_of(header.element);
    for (std::size_t at = header.size; at + size <= bytes.size(); at += size)
        std::reverse(bytes.begin() + std::ptrdiff_t(at), bytes.begin() + std::ptrdiff_t(at + size));
}

ViewReader reader_of(const fs::path& file, std::string bytes, const OpenOptions& options) {
    const NpyHeader header = parse_npy_header(file, bytes);
    require_length(file, header, double(bytes.size()));
    swap_elements(header, bytes);
    const ViewAxes axes = axes_of(file, header.shape, options);
    const Shape strides =
        header.fortran_order ? fortran_strides(header.shape) : c_strides(header.shape);
    const auto data = std::make_shared<const std::string>(std::move(bytes));
    return [=](const LightFieldIndex::Entry& entry) {
        return view_of(data->data() + header.size, header.element, axes, strides, entry.part);
    };
}

// What axes_of needs to find the same grid again.
OpenOptions same_grid(const LightFieldIndex& index) {
    OpenOptions options;
    options.rows = index.grid.rows;
    options.cols = index.grid.cols;
    return options;
}

bool begins_with(const fs::path& file, std::string_view wanted) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return false;
    return read_bytes(file, wanted.size()) == wanted;
}

// ---- NPZ ----------------------------------------------------------------------------------------

class Archive {
public:
    explicit Archive(const fs::path& file) : file_(file) {
        int error = 0;
        zip_ = zip_open(file.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &error);
        if (zip_ == nullptr) {
            zip_error_t reason;
            zip_error_init_with_code(&reason, error);
            const std::string words = zip_error_strerror(&reason);
            zip_error_fini(&reason);
            refuse(file, fmt::format("it is no intact ZIP archive ({})", words));
        }
    }
    ~Archive() { zip_discard(zip_); }
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    // The first `limit` bytes of a member.
    std::string read(zip_uint64_t member, std::uint64_t limit) const {
        const zip_stat_t status = stat(member);
        zip_file_t* stream = zip_fopen_index(zip_, member, 0);
        if (stream == nullptr) refuse(file_, zip_strerror(zip_));
        std::string bytes(std::size_t(std::min<std::uint64_t>(status.size, limit)), '\0');
        std::size_t done = 0;
        while (done < bytes.size()) {
            const zip_int64_t count = zip_fread(stream, &bytes[done], bytes.size() - done);
            if (count <= 0) break;
            done += std::size_t(count);
        }
        // At the end of a member its checksum is looked at.
        char more = 0;
        const bool damaged = bytes.size() == status.size && zip_fread(stream, &more, 1) != 0;
        zip_fclose(stream);
        if (done != bytes.size() || damaged)
            refuse(file_, fmt::format("its member {} is damaged", status.name));
        return bytes;
    }

    zip_stat_t stat(zip_uint64_t member) const {
        zip_stat_t status;
        zip_stat_init(&status);
        if (zip_stat_index(zip_, member, 0, &status) != 0 || status.name == nullptr)
            refuse(file_, "a member of the archive has no name or size");
        return status;
    }

    // LF.npy if there is one, else the first array of four or five axes.
    zip_uint64_t views() const {
        const zip_int64_t members = zip_get_num_entries(zip_, 0);
        for (const bool by_name : {true, false}) {
            for (zip_uint64_t i = 0; i < zip_uint64_t(std::max<zip_int64_t>(members, 0)); ++i) {
                const std::string name = stat(i).name;
                if (!name.ends_with(".npy") || (by_name && name != "LF.npy")) continue;
                const std::size_t axes =
                    parse_npy_header(file_ / name, read(i, longest_npy_header)).shape.size();
                if (by_name || axes == 4 || axes == 5) return i;
            }
        }
        refuse(file_, "the archive holds no array LF.npy and no other of four or five axes");
    }

private:
    fs::path file_;
    zip_t* zip_ = nullptr;
};

}  // namespace

LightFieldFormat npy_format() {
    LightFieldFormat format;
    format.name = "npy";
    format.description =
        "a NumPy array [row, col, y, x] or with channels, uint8, uint16 or float (1 is white)";
    format.extensions = {".npy"};
    format.detect = [](const fs::path& file, const IndexHints&) {
        return begins_with(file, "\x93NUMPY");
    };
    format.index = [](const fs::path& file, const IndexHints& hints) {
        const NpyHeader header = parse_npy_header(file, read_bytes(file, longest_npy_header));
        const ViewAxes axes = axes_of(file, header.shape, hints.options);
        require_length(file, header, double(fs::file_size(file)));
        return index_array(file, axes, header.element);
    };
    format.open = [](const LightFieldIndex& index) {
        std::error_code error;
        require_memory(index.path, "the array", double(fs::file_size(index.path, error)),
                       index.memory_limit);
        return reader_of(index.path, read_bytes(index.path), same_grid(index));
    };
    format.write = [](const fs::path& file, const LightField& field,
                      const WriteLightField& options) {
        const DenseViews dense = dense_views(file, field, options.pixels, "npy");
        std::string bytes = format_npy_header(dense.shape, dense.element);
        bytes.append(dense.bytes.begin(), dense.bytes.end());
        write_file_atomically(file, bytes);
    };
    return format;
}

LightFieldFormat npz_format() {
    LightFieldFormat format;
    format.name = "npz";
    format.description = "NumPy arrays in an archive: LF, or the first of four or five axes";
    format.extensions = {".npz"};
    format.detect = [](const fs::path& file, const IndexHints&) {
        return begins_with(file, std::string_view("PK\x03\x04", 4));
    };
    format.index = [](const fs::path& file, const IndexHints& hints) {
        const Archive archive(file);
        const zip_uint64_t views = archive.views();
        const NpyHeader header = parse_npy_header(file, archive.read(views, longest_npy_header));
        const ViewAxes axes = axes_of(file, header.shape, hints.options);
        require_length(file, header, double(archive.stat(views).size));
        return index_array(file, axes, header.element);
    };
    format.open = [](const LightFieldIndex& index) {
        const Archive archive(index.path);
        const zip_uint64_t views = archive.views();
        const std::uint64_t size = archive.stat(views).size;
        require_memory(index.path, "the array", double(size), index.memory_limit);
        return reader_of(index.path, archive.read(views, size), same_grid(index));
    };
    return format;
}

Image read_npy_map(const fs::path& file) {
    std::string bytes = read_bytes(file);
    const NpyHeader header = parse_npy_header(file, bytes);
    const bool two = header.shape.size() == 2 || (header.shape.size() == 3 && header.shape[2] == 1);
    if (!two || (header.element != Element::float32 && header.element != Element::float64))
        refuse(file, "a map is an array of two axes, y and x, of float32 or float64");
    require_sane_size(file, header.shape[1], header.shape[0]);
    require_length(file, header, double(bytes.size()));
    swap_elements(header, bytes);
    Image map(int(header.shape[1]), int(header.shape[0]));
    const Shape strides =
        header.fortran_order ? fortran_strides(header.shape) : c_strides(header.shape);
    const char* data = bytes.data() + header.size;
    for (int y = 0; y < map.height; ++y) {
        for (int x = 0; x < map.width; ++x) {
            const auto at = std::size_t(y * strides[0] + x * strides[1]);
            if (header.element == Element::float32) {
                std::memcpy(&map.at(y, x), data + at * sizeof(float), sizeof(float));
            } else {
                double value = 0;
                std::memcpy(&value, data + at * sizeof(double), sizeof(double));
                map.at(y, x) = float(value);
            }
        }
    }
    return map;
}

NpyPictures read_npy_pictures(const fs::path& file) {
    std::string bytes = read_bytes(file);
    const NpyHeader header = parse_npy_header(file, bytes);
    constexpr std::int64_t most = 1000;
    const auto sane = [](std::int64_t length) { return length >= 1 && length <= most; };
    if (header.shape.size() != 4 || !std::all_of(header.shape.begin(), header.shape.end(), sane))
        refuse(file, fmt::format("four axes row, col, y and x of at most {} each are expected, but "
                                 "its shape is [{}]",
                                 most, fmt::join(header.shape, ", ")));
    require_length(file, header, double(bytes.size()));
    swap_elements(header, bytes);
    ViewAxes axes;
    axes.shape = header.shape;
    axes.row = 0;
    axes.col = 1;
    axes.y = 2;
    axes.x = 3;
    axes.grid = {0, 0, int(header.shape[0]), int(header.shape[1])};
    const Shape strides =
        header.fortran_order ? fortran_strides(header.shape) : c_strides(header.shape);
    NpyPictures result{axes.grid.rows, axes.grid.cols, {}};
    for (int part = 0; part < result.rows * result.cols; ++part)
        result.pictures.push_back(
            view_of(bytes.data() + header.size, header.element, axes, strides, part));
    return result;
}

std::string encode_npy_map(const Image& map) {
    std::string bytes = format_npy_header({map.height, map.width}, Element::float32);
    bytes.append(reinterpret_cast<const char*>(map.values.data()),
                 map.values.size() * sizeof(float));
    return bytes;
}

}  // namespace plenosr::io
