#include "io/exif.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "io/byte_reader.h"
#include "io/orientation.h"

namespace plenosr::io {

namespace {

constexpr std::uint16_t text = 2;
constexpr std::uint16_t short_type = 3;
constexpr std::uint16_t long_type = 4;
constexpr std::uint16_t rational = 5;
constexpr std::uint16_t signed_rational = 10;
constexpr std::uint16_t orientation_tag = 274;
constexpr std::uint16_t exposure_directory = 34665;
constexpr std::size_t entry_bytes = 12;
constexpr std::size_t header_bytes = 8;

// The tags that are carried, with the types that the EXIF standard gives them.
struct Known {
    std::uint16_t tag;
    std::uint16_t type;
};
constexpr std::array picture_tags = {
    Known{271, text},    // make
    Known{272, text},    // model
    Known{306, text},    // date and time
    Known{315, text},    // artist
    Known{33432, text},  // copyright
};
constexpr std::array exposure_tags = {
    Known{33434, rational},    // exposure time
    Known{33437, rational},    // f number
    Known{34850, short_type},  // exposure program
    Known{34855, short_type},  // sensitivity (ISO)
    Known{34864, short_type},  // type of the sensitivity
    Known{34866, long_type},   // recommended exposure index
    Known{36867, text},        // original date and time
    Known{36868, text},        // date and time of digitising
    Known{36880, text},        // time zones of the three dates
    Known{36881, text},
    Known{36882, text},
    Known{37377, signed_rational},  // shutter speed
    Known{37378, rational},         // aperture
    Known{37379, signed_rational},  // brightness
    Known{37380, signed_rational},  // exposure bias
    Known{37381, rational},         // largest aperture
    Known{37382, rational},         // distance of the subject
    Known{37383, short_type},       // metering
    Known{37384, short_type},       // light source
    Known{37385, short_type},       // flash
    Known{37386, rational},         // focal length
    Known{37520, text},             // fractions of a second of the three dates
    Known{37521, text},
    Known{37522, text},
    Known{40961, short_type},  // colour space: sRGB or not
    Known{41986, short_type},  // exposure mode
    Known{41987, short_type},  // white balance
    Known{41988, rational},    // digital zoom
    Known{41989, short_type},  // focal length for 35 mm film
    Known{42034, rational},    // focal lengths and apertures of the lens
    Known{42035, text},        // maker of the lens
    Known{42036, text},        // model of the lens
};

template <std::size_t N>
bool is_carried(const std::array<Known, N>& known, std::uint16_t tag, std::uint16_t type) {
    return std::any_of(known.begin(), known.end(),
                       [&](const Known& k) { return k.tag == tag && k.type == type; });
}

// A rational is two numbers of four bytes.
std::size_t number_bytes(std::uint16_t type) {
    return std::min<std::size_t>(exif_type_bytes(type), 4);
}

// Reads directories of a TIFF structure.
class Reader {
public:
    Reader(std::uint64_t size, const ReadExif& read_at) : size_(size), read_at_(read_at) {}

    // The place of the first directory; 0: this is no classic TIFF structure.
    std::uint64_t first_directory() {
        std::string header;
        if (!read(0, header_bytes, header)) return 0;
        if (header.starts_with("MM"))
            order_ = ByteReader::big_endian;
        else if (!header.starts_with("II"))
            return 0;
        constexpr std::uint64_t magic = 42;
        return number(header, 2, 2) == magic ? number(header, 4, 4) : 0;
    }

    template <std::size_t N>
    std::vector<ExifTag> tags(std::uint64_t directory, const std::array<Known, N>& known,
                              std::uint64_t* exposure = nullptr) {
        std::vector<ExifTag> found;
        std::string count;
        std::string entries;
        if (directory == 0 || !read(directory, 2, count) ||
            !read(directory + 2, entry_bytes * number(count, 0, 2), entries))
            return found;
        for (std::size_t at = 0; at < entries.size(); at += entry_bytes) {
            const auto tag = std::uint16_t(number(entries, at, 2));
            const auto type = std::uint16_t(number(entries, at + 2, 2));
            const std::uint64_t values = number(entries, at + 4, 4);
            if (tag == exposure_directory && exposure != nullptr && type == long_type)
                *exposure = number(entries, at + 8, 4);
            const std::uint64_t bytes = values * exif_type_bytes(type);
            if (!is_carried(known, tag, type) || bytes == 0 || bytes >= longest_exif_value)
                continue;
            ExifTag one{tag, type, entries.substr(at + 8, 4)};
            if (bytes > 4 && !read(number(entries, at + 8, 4), bytes, one.values)) continue;
            one.values.resize(std::size_t(bytes));
            if (order_ == ByteReader::big_endian)
                for (std::size_t i = 0; i < one.values.size(); i += number_bytes(type))
                    std::reverse(one.values.begin() + std::ptrdiff_t(i),
                                 one.values.begin() + std::ptrdiff_t(i + number_bytes(type)));
            if (type == text && !make_text(one.values)) continue;
            found.push_back(std::move(one));
        }
        const auto less = [](const ExifTag& a, const ExifTag& b) { return a.tag < b.tag; };
        std::stable_sort(found.begin(), found.end(), less);
        const auto same = [](const ExifTag& a, const ExifTag& b) { return a.tag == b.tag; };
        found.erase(std::unique(found.begin(), found.end(), same), found.end());
        return found;
    }

private:
    std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t count) const {
        return ByteReader(bytes, order_).number(at, count);
    }
    bool read(std::uint64_t place, std::uint64_t count, std::string& bytes) {
        if (place > size_ || count > size_ - place) return false;
        bytes.resize(std::size_t(count));
        return read_at_(place, bytes.data(), bytes.size());
    }
    // Ends the text at its first zero byte. False if it says nothing or has control characters.
    static bool make_text(std::string& values) {
        values = values.substr(0, values.find('\0'));
        const auto is_control = [](unsigned char c) { return c < ' ' || c == 0x7F; };
        const bool usable = !values.empty() && values != no_date &&
                            std::none_of(values.begin(), values.end(), is_control);
        values += '\0';
        return usable;
    }

    std::uint64_t size_;
    const ReadExif& read_at_;
    ByteReader::Order order_ = ByteReader::little_endian;
};

// A directory at `place`: entries, the place of the next directory (none), values of more than four
// bytes.
std::string directory(const std::vector<ExifTag>& tags, std::uint32_t place) {
    std::string entries = little_endian(tags.size(), 2);
    std::string values;
    const std::size_t values_at = place + 2 + entry_bytes * tags.size() + 4;
    for (const ExifTag& tag : tags) {
        const std::size_t unit = std::max<std::size_t>(1, exif_type_bytes(tag.type));
        entries += little_endian(tag.tag, 2) + little_endian(tag.type, 2) +
                   little_endian(tag.values.size() / unit, 4);
        if (tag.values.size() <= 4) {
            std::string padded = tag.values;
            padded.resize(4, '\0');
            entries += padded;
        } else {
            entries += little_endian(values_at + values.size(), 4);
            values += tag.values;
            values.resize(values.size() + values.size() % 2, '\0');  // places are even
        }
    }
    return entries + little_endian(0, 4) + values;
}

}  // namespace

std::size_t exif_type_bytes(std::uint16_t type) {
    constexpr std::array<std::size_t, 14> bytes = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
    return type < bytes.size() ? bytes[type] : 0;
}

ExifTags parse_exif(std::uint64_t size, const ReadExif& read_at, std::uint64_t directory) {
    Reader reader(size, read_at);
    const std::uint64_t first = reader.first_directory();
    if (first == 0) return {};
    std::uint64_t exposure = 0;
    ExifTags tags;
    tags.picture = reader.tags(directory > 0 ? directory : first, picture_tags, &exposure);
    tags.exposure = reader.tags(exposure, exposure_tags);
    return tags;
}

ExifTags parse_exif(std::string_view block) {
    return parse_exif(block.size(), [&](std::uint64_t place, char* to, std::size_t count) {
        std::memcpy(to, block.data() + place, count);
        return true;
    });
}

std::string format_exif_directories(const ExifTags& tags, std::vector<ExifTag> more,
                                    std::uint32_t place, std::uint32_t& place_of_picture) {
    std::string exposure;
    std::vector<ExifTag> all = tags.picture;
    if (!tags.exposure.empty()) {
        exposure = directory(tags.exposure, place);
        all.push_back({exposure_directory, long_type, little_endian(place, 4)});
    }
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
    std::sort(all.begin(), all.end(),
              [](const ExifTag& a, const ExifTag& b) { return a.tag < b.tag; });
    place_of_picture = place + std::uint32_t(exposure.size());
    return exposure + directory(all, place_of_picture);
}

std::string format_exif(const ExifTags& tags) {
    if (tags.empty()) return {};
    std::uint32_t first = 0;
    const std::string directories = format_exif_directories(
        tags, {{orientation_tag, short_type, little_endian(upright_orientation, 2)}}, header_bytes,
        first);
    return std::string("II*\0", 4) + little_endian(first, 4) + directories;
}

}  // namespace plenosr::io
