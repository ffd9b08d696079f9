#include <fmt/format.h>
#include <zip.h>

#include <algorithm>

#include "base/file_errors.h"
#include "io/array_views.h"
#include "io/input_file.h"
#include "io/limits.h"
#include "io/memory_limit.h"
#include "io/npy.h"

// NPZ: a ZIP archive of NPY arrays.

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* kind = "NPZ file";
constexpr std::string_view signature("PK\x03\x04", 4);

class Archive {
public:
    explicit Archive(const fs::path& file) : file_(file) {
        int error = 0;
        zip_ = zip_open(file.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &error);
        if (zip_ == nullptr) {
            zip_error_t failure;
            zip_error_init_with_code(&failure, error);
            const std::string reason = zip_error_strerror(&failure);
            zip_error_fini(&failure);
            refuse_file(file, fmt::format("it is not an intact ZIP archive ({})", reason), kind);
        }
    }
    ~Archive() { zip_discard(zip_); }
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    // The first `limit` bytes of a member.
    std::string read(zip_uint64_t member, std::uint64_t limit) const {
        require_plausible(member);
        const zip_stat_t status = stat(member);
        zip_file_t* stream = zip_fopen_index(zip_, member, 0);
        if (stream == nullptr) refuse_file(file_, zip_strerror(zip_), kind);
        std::string bytes(std::size_t(std::min<std::uint64_t>(status.size, limit)), '\0');
        std::size_t done = 0;
        while (done < bytes.size()) {
            const zip_int64_t count = zip_fread(stream, &bytes[done], bytes.size() - done);
            if (count <= 0) break;
            done += std::size_t(count);
        }
        // Reading beyond the end of a member makes the library verify its checksum.
        char more = 0;
        const bool damaged = bytes.size() == status.size && zip_fread(stream, &more, 1) != 0;
        zip_fclose(stream);
        if (done != bytes.size() || damaged)
            refuse_file(file_, fmt::format("its member {} is damaged", status.name), kind);
        return bytes;
    }

    zip_stat_t stat(zip_uint64_t member) const {
        zip_stat_t status;
        zip_stat_init(&status);
        if (zip_stat_index(zip_, member, 0, &status) != 0 || status.name == nullptr)
            refuse_file(file_, "a member of the archive has no name or size", kind);
        return status;
    }

    // LF.npy if it exists, else the first array with four or five axes.
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
        refuse_file(file_, "it holds no array LF.npy and no other array with four or five axes",
                    kind);
    }

private:
    // Error(input) if the compressed bytes of a member cannot hold the bytes that it claims.
    void require_plausible(zip_uint64_t member) const {
        const zip_stat_t status = stat(member);
        const bool known = (status.valid & ZIP_STAT_SIZE) != 0 &&
                           (status.valid & ZIP_STAT_COMP_SIZE) != 0 &&
                           (status.valid & ZIP_STAT_COMP_METHOD) != 0;
        if (!known || (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE))
            refuse_file(file_,
                        fmt::format("its member {} is neither stored nor compressed with deflate",
                                    status.name),
                        kind);
        const std::uint64_t ratio = status.comp_method == ZIP_CM_STORE ? 1 : deflate_best_ratio;
        std::error_code error;
        if (status.comp_size > fs::file_size(file_, error) ||
            double(status.size) > double(ratio) * double(status.comp_size))
            refuse_file(file_,
                        fmt::format("its member {} claims {} bytes, but {} bytes are stored",
                                    status.name, status.size, status.comp_size),
                        kind);
    }

    fs::path file_;
    zip_t* zip_ = nullptr;
};

}  // namespace

LightFieldFormat npz_format() {
    LightFieldFormat format;
    format.name = "npz";
    format.description = "a NumPy archive with LF or another array of four or five axes";
    format.extensions = {".npz"};
    format.detect = [](const fs::path& file, const IndexHints&) {
        return is_file(file) && read_bytes(file, signature.size()) == signature;
    };
    format.index = [](const fs::path& file, const IndexHints& hints) {
        const Archive archive(file);
        const zip_uint64_t views = archive.views();
        const NpyHeader header = parse_npy_header(file, archive.read(views, longest_npy_header));
        const ViewAxes axes = axes_of(file, header.shape, hints.options);
        require_npy_length(file, header, double(archive.stat(views).size));
        return index_array(file, axes, header.element);
    };
    format.open = [](const LightFieldIndex& index) {
        const Archive archive(index.path);
        const zip_uint64_t views = archive.views();
        const std::uint64_t size = archive.stat(views).size;
        require_memory(index.path, "the array", double(size), index.memory_limit);
        return npy_view_reader(index.path, archive.read(views, size), same_grid(index));
    };
    return format;
}

}  // namespace plenosr::io
