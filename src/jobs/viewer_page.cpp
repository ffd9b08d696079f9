#include <tbb/parallel_for.h>

#include <array>

#include "base/cancelled.h"
#include "base/sha256.h"
#include "jobs/json.h"
#include "jobs/viewer_encoding.h"
#include "jobs/viewer_files.h"
#include "plenosr/error.h"
#include "plenosr/html.h"
#include "plenosr/version.h"

namespace plenosr {
namespace {

// In the order in which they become one script.
constexpr std::array modules = {"pictures.js",   "colours.js",     "state.js",    "light_field.js",
                                "draw_webgl.js", "draw_canvas.js", "matching.js", "controls.js",
                                "epipolar.js",   "pad.js",         "explore.js",  "film.js",
                                "compared.js",   "compare.js",     "maps.js",     "plots.js",
                                "runs.js",       "page.js"};

const std::string& script() {
    static const std::string text = [] {
        std::string joined = "\n\"use strict\";\n";
        for (const char* module : modules)
            joined += viewer_file(module);
        return joined;
    }();
    return text;
}

const std::string& style() {
    static const std::string text = viewer_file("style.css");
    return text;
}

std::string hash_source(const std::string& text) {
    const Sha256::Digest digest = sha256(text);
    return "'sha256-" + base64({reinterpret_cast<const char*>(digest.data()), digest.size()}) + "'";
}

// Each picture of the content, in the order of its number.
std::vector<const ViewerPicture*> pictures_of(const ViewerContent& content) {
    std::vector<const ViewerPicture*> list;
    for (const ViewerView& view : content.views)
        list.push_back(&view.picture);
    for (const ViewerPicture& result : content.results)
        list.push_back(&result);
    for (const ViewerSeries& series : content.series)
        for (const ViewerPicture& picture : series.pictures)
            list.push_back(&picture);
    for (const ViewerMap& map : content.maps)
        list.push_back(&map.picture);
    return list;
}

const char* name_of(ViewerMapKind kind) {
    switch (kind) {
        case ViewerMapKind::disparity:
            return "disparity";
        case ViewerMapKind::share:
            return "share";
        case ViewerMapKind::number:
            return "number";
    }
    return "";
}

// What page.js reads. `urls` are those of the pictures.
Json description_of(const ViewerContent& content, bool lossless,
                    const std::vector<std::string>& urls) {
    std::size_t number = 0;
    const auto json_of = [&](const ViewerPicture& picture) {
        Json json;
        json["name"] = picture.name;
        json["width"] = picture.width;
        json["height"] = picture.height;
        json["channels"] = picture.channels;
        json["coding"] = name_of(coding_of(picture, lossless));
        json["url"] = urls[number++];
        return json;
    };
    Json json;
    json["title"] = content.title;
    json["version"] = PLENOSR_VERSION;
    json["frames"] = content.frames;
    json["linear"] = content.linear;
    json["reference"] = position(content.reference);
    json["sampling"] = {{"scale", content.sampling.scale},
                        {"phase", plenosr::number(content.sampling.phase)}};
    json["views"] = Json::array();
    for (const ViewerView& view : content.views)
        json["views"].push_back(
            {{"position", position(view.position)}, {"picture", json_of(view.picture)}});
    json["results"] = Json::array();
    for (const ViewerPicture& result : content.results)
        json["results"].push_back(json_of(result));
    json["series"] = Json::array();
    for (const ViewerSeries& series : content.series) {
        Json one = {{"name", series.name}, {"run", series.run}, {"pictures", Json::array()}};
        one["iterations"] = series.iterations;
        one["positions"] = positions(series.positions);
        for (const ViewerPicture& picture : series.pictures)
            one["pictures"].push_back(json_of(picture));
        json["series"].push_back(std::move(one));
    }
    json["maps"] = Json::array();
    for (const ViewerMap& map : content.maps)
        json["maps"].push_back({{"kind", name_of(map.kind)},
                                {"meaning", map.meaning},
                                {"picture", json_of(map.picture)}});
    json["runs"] = Json::array();
    for (const ViewerRun& run : content.runs)
        json["runs"].push_back({{"name", run.name}, {"report", Json::parse(run.report)}});
    json["notes"] = content.notes;
    return json;
}

// JSON within a script element: "<" would begin "</script>" or "<!--".
std::string embedded(const Json& json) {
    const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    std::string result;
    result.reserve(text.size());
    for (const char c : text)
        if (c == '<')
            result += "\\u003c";
        else
            result += c;
    return result;
}

std::string page_of(const ViewerContent& content, const std::string& policy, const Json& data) {
    std::string text = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    if (!policy.empty())
        text += "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy + "\">\n";
    text += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
            escaped_html(content.title) + " – PlenoSR</title>\n<style>" + style() +
            "</style>\n</head>\n";
    text += viewer_file("page.html");
    text += "<script type=\"application/json\" id=\"data\">" + embedded(data) + "</script>\n";
    text += "<script type=\"module\">" + script() + "</script>\n</body>\n</html>\n";
    return text;
}

std::string policy_with(const std::string& pictures) {
    return "default-src 'none'; base-uri 'none'; form-action 'none'; img-src " + pictures +
           "; style-src " + hash_source(style()) + "; script-src " + hash_source(script());
}

}  // namespace

std::string viewer_security_policy() {
    return policy_with("blob:; connect-src 'self'; frame-ancestors 'none'");
}

std::size_t viewer_pictures(const ViewerContent& content) {
    return pictures_of(content).size();
}

ViewerFile viewer_picture_file(const ViewerContent& content, std::size_t number,
                               const ViewerOptions& options) {
    const ViewerPicture& picture = *pictures_of(content).at(number);
    return encoded(picture.read(), coding_of(picture, options.lossless));
}

std::string viewer_page(const ViewerContent& content, const ViewerOptions& options,
                        const Progress& progress) {
    const std::size_t count = viewer_pictures(content);
    std::vector<std::string> urls(count);
    ProgressEvent event;
    event.stage = "encoding";
    event.steps = int(count);
    constexpr std::size_t at_once = 8;  // pictures: bounds the memory
    for (std::size_t begin = 0; begin < count; begin += at_once) {
        tbb::parallel_for(begin, std::min(count, begin + at_once), [&](std::size_t i) {
            const ViewerFile file = viewer_picture_file(content, i, options);
            urls[i] = data_uri(file.media_type, file.bytes);
        });
        event.step = int(std::min(count, begin + at_once));
        if (progress && !progress(event)) throw Cancelled();
    }
    return page_of(content, policy_with("blob:"), description_of(content, options.lossless, urls));
}

std::string served_viewer_page(const ViewerContent& content, const ViewerOptions& options) {
    std::vector<std::string> urls;
    for (std::size_t i = 0; i < viewer_pictures(content); ++i)
        urls.push_back("picture/" + std::to_string(i));
    return page_of(content, "", description_of(content, options.lossless, urls));
}

}  // namespace plenosr
