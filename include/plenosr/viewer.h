#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "plenosr/export.h"
#include "plenosr/jobs.h"

namespace plenosr PLENOSR_EXPORT {

// A page for a browser: views of a light field, or frames of a burst, with results, maps and what
// the runs reported. docs/viewer.md describes it for users.

// A picture that is decoded when it is asked for. Errors are those of reading it.
struct ViewerPicture {
    std::string name;
    int width = 0;
    int height = 0;
    int channels = 0;  // 1 or 3
    PixelFormat format = PixelFormat::bits8;
    bool wide = true;  // of floats: 8 bits cannot show them, e.g. because of values beyond white
    std::function<Image()> read;
};

struct ViewerView {
    ViewPosition position;
    ViewerPicture picture;
};

enum class ViewerMapKind {
    disparity,  // of the reference view, in pixels of the map per step between views
    share,      // from 0 to 1
    number      // any other value
};
struct ViewerMap {
    ViewerMapKind kind = ViewerMapKind::number;
    ViewerPicture picture;
    std::string meaning;  // of its values, if the kind does not tell it
};

// Pictures of one size, of which the page shows one at a time: iterations of a run, or one for each
// view.
struct ViewerSeries {
    std::string name;
    std::vector<int> iterations;          // of each picture; or empty, and then
    std::vector<ViewPosition> positions;  // the view of each picture
    std::vector<ViewerPicture> pictures;
    std::size_t run = 0;  // whose iterations they are
};

struct ViewerRun {
    std::string name;
    std::string report;  // JSON, as the program writes it
};

struct ViewerContent {
    std::string title;
    bool frames = false;  // the views are frames of a burst: there is no grid and no refocusing
    bool linear = false;  // the numbers are proportional to light
    ViewGrid grid;
    std::vector<ViewerView> views;
    ViewPosition reference;
    SamplingGrid sampling = 1;           // of the views on the grid of the results
    std::vector<ViewerPicture> results;  // pictures to compare, of any sizes
    std::vector<ViewerSeries> series;    // further ones
    std::vector<ViewerMap> maps;
    std::vector<ViewerRun> runs;
    std::vector<std::string> notes;
};

// ---- what a page shows --------------------------------------------------------------------------
// A picture in memory. Its values are floats, but `format` is what they were measured with.
ViewerPicture viewer_picture(std::string name, Image image, PixelFormat format);
// The same without a copy: the caller keeps the image.
ViewerPicture viewer_picture(std::string name, const Image* image, PixelFormat format);
// The views, and the map of the centre if it is stored with them.
ViewerContent viewer_content(const LightFieldSource& source);
ViewerContent viewer_content(const FrameFiles& files);
ViewerContent viewer_content(const std::vector<Image>& frames);  // of a burst in memory
// A picture, or a JSON report of `reconstruct`, `frames` or `disparity`: then the picture, map or
// light field that it names as its output is added too, and the kept iterations. Or a light field:
// super-resolved views. The first result also brings its bicubic enlargement.
void add_result_file(const std::filesystem::path& file, ViewerContent& content);
void add_truth(const std::filesystem::path& file, ViewerContent& content);
void add_truth(const Image& truth, ViewerContent& content);
void add_truth(const LightFieldSource& truths, ViewerContent& content);  // of every view
void add_map_file(const std::filesystem::path& file, ViewerMapKind kind, ViewerContent& content);
// The same for jobs in memory. The caller keeps reports of all views alive: they are not copied.
void add_result(const ReconstructReport& report, ViewerContent& content);
void add_result(const AllViewsReport& report, ViewerContent& content);
void add_result(const FramesReport& report, ViewerContent& content);
void add_result(const DisparityReport& report, ViewerContent& content);

// ---- the page -----------------------------------------------------------------------------------
struct ViewerOptions {
    bool lossless = false;  // keep every value, not only what people see
};

// One file that opens from disk and loads nothing.
std::string viewer_page(const ViewerContent& content, const ViewerOptions& options = {},
                        const Progress& progress = {});
// A page above this size opens slowly, and `plenosr view` suits better.
inline constexpr std::size_t large_page_bytes = 50'000'000;

// The same page for a server: it loads its pictures from "picture/0", "picture/1" and so on.
std::string served_viewer_page(const ViewerContent& content, const ViewerOptions& options = {});
// The policy that the page needs, for the header Content-Security-Policy.
std::string viewer_security_policy();
struct ViewerFile {
    std::string media_type;
    std::string bytes;
};
std::size_t viewer_pictures(const ViewerContent& content);  // their number
ViewerFile viewer_picture_file(const ViewerContent& content, std::size_t number,
                               const ViewerOptions& options = {});

}  // namespace PLENOSR_EXPORT
