#include "plenosr/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <tuple>

#include "io/formats.h"
#include "io/parallax_findings.h"
#include "io/view_batches.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

using io::Look;

constexpr int small_side = 160;  // pixels; enough to see in which direction things move

std::uint64_t hash_of(const Image& image) {  // FNV-1a over the values
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const float value : image.values) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof(bits));
        hash = (hash ^ bits) * 0x100000001b3U;
    }
    return hash;
}

Look look_at(ViewPosition position, const Image& image) {
    Look look{position, {}, image.width, image.height, image.channels, 0, hash_of(image), {}};
    const Image y = luma(image);
    for (const float value : y.values)
        look.mean += double(value) / double(y.pixels());
    const double shrink = std::min(1.0, double(small_side) / std::max(y.width, y.height));
    look.small = resize(y, std::max(1, int(y.width * shrink)), std::max(1, int(y.height * shrink)));
    return look;
}

std::vector<Look> look_at_all(const LightFieldIndex& index, const Progress& progress) {
    const io::LightFieldFormat* format = io::find_format(index.format);
    const io::ViewReader read = format != nullptr && format->open
                                    ? format->open(index)
                                    : [](const auto& entry) { return read_image(entry.file); };
    std::vector<Look> looks(index.views.size());
    io::for_each_view(index.views.size(), "looking", progress, [&](std::size_t i) {
        const LightFieldIndex::Entry& entry = index.views[i];
        try {
            looks[i] = look_at(entry.position, read(entry));
        } catch (const Error& failure) {
            looks[i].position = entry.position;
            looks[i].failure = failure.what();
        }
    });
    return looks;
}

std::string names_of(const std::vector<ViewPosition>& views) {
    constexpr std::size_t most = 12;
    std::string text = views.size() == 1 ? "the view " : "the views ";
    for (std::size_t i = 0; i < std::min(most, views.size()); ++i)
        text += (i == 0 ? "" : "  ") + to_string(views[i]);
    if (views.size() > most) text += fmt::format(" and {} more", views.size() - most);
    return text;
}

// ---- single views
// -----------------------------------------------------------------------------------

void find_other_sizes(std::vector<Look>& looks, std::vector<Finding>& findings) {
    using Size = std::array<int, 3>;
    const auto size_of = [](const Look& look) {
        return Size{look.width, look.height, look.channels};
    };
    std::map<Size, std::size_t> counts;
    for (const Look& look : looks)
        ++counts[size_of(look)];
    const auto most =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    for (const Look& look : looks) {
        if (size_of(look) == most->first) continue;
        findings.push_back(
            {"size",
             {look.position},
             fmt::format("the view {} has {}x{} pixels and {} channels, but most have {}x{} and {}",
                         to_string(look.position), look.width, look.height, look.channels,
                         most->first[0], most->first[1], most->first[2])});
    }
    std::erase_if(looks, [&](const Look& look) { return size_of(look) != most->first; });
}

void find_dark_views(const std::vector<Look>& looks, std::vector<Finding>& findings) {
    constexpr double black = 0.02;
    constexpr double dark = 0.75;
    std::vector<double> means;
    means.reserve(looks.size());
    for (const Look& look : looks)
        means.push_back(look.mean);
    std::nth_element(means.begin(), means.begin() + std::ptrdiff_t(means.size() / 2), means.end());
    const double usual = means[means.size() / 2];
    std::vector<ViewPosition> black_views;
    std::vector<ViewPosition> dark_views;
    double darkest = usual;
    for (const Look& look : looks) {
        if (look.mean <= black * usual) {
            black_views.push_back(look.position);
        } else if (look.mean < dark * usual) {
            dark_views.push_back(look.position);
            darkest = std::min(darkest, look.mean);
        }
    }
    if (!black_views.empty())
        findings.push_back({"black", black_views,
                            names_of(black_views) + " show nothing: they are black; leave them out "
                                                    "with --views"});
    if (!dark_views.empty())
        findings.push_back({"dark", dark_views,
                            fmt::format("{} are vignetted: their mean goes down to {:.1f} where "
                                        "{:.1f} is usual; plenosr convert --equalise on evens it "
                                        "out",
                                        names_of(dark_views), darkest, usual)});
}

void find_duplicates(const std::vector<Look>& looks, std::vector<Finding>& findings) {
    std::map<std::uint64_t, std::vector<ViewPosition>> same;
    for (const Look& look : looks)
        same[look.hash].push_back(look.position);
    std::vector<std::vector<ViewPosition>> groups;
    for (const auto& [hash, views] : same)
        if (views.size() > 1) groups.push_back(views);
    std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
        return std::tie(a[0].row, a[0].col) < std::tie(b[0].row, b[0].col);
    });
    for (const auto& views : groups)
        findings.push_back({"duplicate", views, names_of(views) + " are equal pixel by pixel"});
}

}  // namespace

std::vector<Finding> inspect_light_field(const LightFieldIndex& index, const Progress& progress) {
    std::vector<Look> looks = look_at_all(index, progress);
    std::vector<Finding> findings;
    for (const Look& look : looks)
        if (!look.failure.empty())
            findings.push_back({"unreadable", {look.position}, look.failure});
    std::erase_if(looks, [](const Look& look) { return !look.failure.empty(); });
    if (looks.empty()) return findings;
    find_other_sizes(looks, findings);
    find_dark_views(looks, findings);
    find_duplicates(looks, findings);
    // Frames one after the other may move in any way.
    const bool sequence =
        index.grid.rows == 1 && (index.format == "frames" || index.format == "pages");
    if (!sequence) io::find_wrong_parallax(index, looks, findings);
    return findings;
}

}  // namespace plenosr
