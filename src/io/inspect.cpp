#include "plenosr/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "base/cache.h"
#include "base/median.h"
#include "io/formats.h"
#include "io/inspect_parameters.h"
#include "io/parallax_findings.h"
#include "io/view_batches.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

using io::ViewSummary;
using namespace io::inspection;

std::uint64_t hash_of(const Image& image) {
    return cache::hash(
        {reinterpret_cast<const char*>(image.values.data()), image.values.size() * sizeof(float)});
}

ViewSummary summary_of(ViewPosition position, const Image& image) {
    ViewSummary summary{position,       {}, image.width,    image.height,
                        image.channels, 0,  hash_of(image), {}};
    const Image y = luma(image);
    for (const float value : y.values)
        summary.mean += double(value) / double(y.pixels());
    const double shrink = std::min(1.0, double(reduced_side_px) / std::max(y.width, y.height));
    summary.reduced =
        resize(y, std::max(1, int(y.width * shrink)), std::max(1, int(y.height * shrink)));
    return summary;
}

std::vector<ViewSummary> read_summaries(const LightFieldIndex& index, const Progress& progress) {
    const io::ViewReader read = io::view_reader(index);
    std::vector<ViewSummary> views(index.views.size());
    io::for_each_view(index.views.size(), "inspecting", progress, [&](std::size_t i) {
        const LightFieldIndex::Entry& entry = index.views[i];
        try {
            views[i] = summary_of(entry.position, read(entry));
        } catch (const Error& failure) {
            views[i].position = entry.position;
            views[i].failure = failure.what();
        }
    });
    return views;
}

// "the views 0,0  0,1  0,2 and 7 more"
std::string names_of(const std::vector<ViewPosition>& views) {
    constexpr std::size_t most = 12;
    std::string text = views.size() == 1 ? "the view " : "the views ";
    for (std::size_t i = 0; i < std::min(most, views.size()); ++i)
        text += (i == 0 ? "" : "  ") + to_string(views[i]);
    if (views.size() > most) text += fmt::format(" and {} more", views.size() - most);
    return text;
}

// Also removes the views of other sizes from the list.
void find_other_sizes(std::vector<ViewSummary>& views, std::vector<Finding>& findings) {
    using Size = std::array<int, 3>;
    const auto size_of = [](const ViewSummary& view) {
        return Size{view.width, view.height, view.channels};
    };
    std::map<Size, std::size_t> counts;
    for (const ViewSummary& view : views)
        ++counts[size_of(view)];
    const auto most =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    for (const ViewSummary& view : views) {
        if (size_of(view) == most->first) continue;
        findings.push_back(
            {"size",
             {view.position},
             fmt::format("the view {} has {}x{} pixels and {} channels, but most have {}x{} and {}",
                         to_string(view.position), view.width, view.height, view.channels,
                         most->first[0], most->first[1], most->first[2])});
    }
    std::erase_if(views, [&](const ViewSummary& view) { return size_of(view) != most->first; });
}

void find_dark_views(const std::vector<ViewSummary>& views, std::vector<Finding>& findings) {
    std::vector<double> means;
    means.reserve(views.size());
    for (const ViewSummary& view : views)
        means.push_back(view.mean);
    const double typical = upper_median(means);
    std::vector<ViewPosition> black_views;
    std::vector<ViewPosition> dark_views;
    double darkest = typical;
    for (const ViewSummary& view : views) {
        if (view.mean <= black_ratio * typical) {
            black_views.push_back(view.position);
        } else if (view.mean < dark_ratio * typical) {
            dark_views.push_back(view.position);
            darkest = std::min(darkest, view.mean);
        }
    }
    const auto verb = [](const auto& positions) { return positions.size() == 1 ? "is" : "are"; };
    if (!black_views.empty())
        findings.push_back({"black", black_views,
                            fmt::format("{} {} black; leave black views out with --views",
                                        names_of(black_views), verb(black_views))});
    if (!dark_views.empty())
        findings.push_back(
            {"dark", dark_views,
             fmt::format(
                 "{} {} darker than the others (vignetting): the lowest mean is {:.1f}, the "
                 "median {:.1f}; plenosr convert --equalise on corrects it",
                 names_of(dark_views), verb(dark_views), darkest, typical)});
}

void find_duplicates(const std::vector<ViewSummary>& views, std::vector<Finding>& findings) {
    std::map<std::uint64_t, std::vector<ViewPosition>> same;
    for (const ViewSummary& view : views)
        same[view.hash].push_back(view.position);
    std::vector<std::vector<ViewPosition>> groups;
    for (const auto& [hash, positions] : same)
        if (positions.size() > 1) groups.push_back(positions);
    std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
        return std::tie(a[0].row, a[0].col) < std::tie(b[0].row, b[0].col);
    });
    for (const auto& positions : groups)
        findings.push_back(
            {"duplicate", positions, names_of(positions) + " have identical pixels"});
}

}  // namespace

std::vector<Finding> inspect_light_field(const LightFieldIndex& index, const Progress& progress) {
    std::vector<ViewSummary> views = read_summaries(index, progress);
    std::vector<Finding> findings;
    for (const ViewSummary& view : views)
        if (!view.failure.empty())
            findings.push_back({"unreadable", {view.position}, view.failure});
    std::erase_if(views, [](const ViewSummary& view) { return !view.failure.empty(); });
    if (views.empty()) return findings;
    find_other_sizes(views, findings);
    find_dark_views(views, findings);
    find_duplicates(views, findings);
    // Between the frames of a sequence anything may move.
    const bool sequence =
        index.grid.rows == 1 && (index.format == "frames" || index.format == "pages");
    if (!sequence) io::find_wrong_parallax(index, views, findings);
    return findings;
}

}  // namespace plenosr
