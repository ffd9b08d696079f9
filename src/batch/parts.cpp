#include "batch/parts.h"

#include <fmt/format.h>

#include "base/sha256.h"
#include "io/input_file.h"
#include "plenosr/error.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

using io::Json;
using io::JsonReader;

constexpr std::size_t largest_part_bytes = 1U << 24U;

std::string text_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// "solve:17" -> "solve-17": some file systems have no colons in names.
std::string file_stem(std::string task) {
    for (char& c : task)
        if (c == ':') c = '-';
    return task;
}

Part part_from(const JsonReader& reader, const Json& json) {
    Part part;
    part.failed = reader.text("state") == "failed";
    if (part.failed) part.error = reader.text("error");
    if (reader.has("files")) {
        const JsonReader files = reader.object("files");
        part.files = {files.unsigned_integer("files"), files.unsigned_integer("bytes"),
                      files.text("sha256")};
    }
    if (reader.has("report")) part.report = json.at("report");
    return part;
}

}  // namespace

fs::path part_file(const BatchJob& job, const std::string& task) {
    return job.folder / "parts" / (file_stem(task) + ".json");
}

std::string format_part(const BatchJob& job, const std::string& task, const Part& part) {
    Json json;
    json["plenosr_part"] = task;
    json["plan"] = job.hash;
    json["state"] = part.failed ? "failed" : "done";
    if (part.failed) json["error"] = part.error;
    if (part.files)
        json["files"] = {{"files", part.files->files},
                         {"bytes", part.files->bytes},
                         {"sha256", part.files->sha256}};
    if (!part.report.is_null()) json["report"] = part.report;
    // As it is read again: names of files need not be UTF-8.
    json = Json::parse(text_of(json));
    Json whole;
    whole["sha256"] = sha256_text(text_of(json));
    whole["part"] = std::move(json);
    return whole.dump(1) + "\n";
}

std::optional<Part> read_part(const BatchJob& job, const std::string& task) {
    const fs::path file = part_file(job, task);
    if (!io::is_file(file)) return std::nullopt;
    try {
        const std::string text = io::read_bytes(file, largest_part_bytes);
        const Json whole = Json::parse(text);
        const Json& json = whole.at("part");
        if (whole.at("sha256") != sha256_text(text_of(json))) return std::nullopt;
        const JsonReader reader(file, json, {}, "part");
        if (reader.text("plenosr_part") != task || reader.text("plan") != job.hash)
            return std::nullopt;
        return part_from(reader, json);
    } catch (const Json::exception&) {
        return std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

fs::path result_file(const BatchPlan& plan, std::size_t item) {
    return plan.output / (plan.items[item].name + plan.extension);
}

fs::path thumbnail_file(const BatchJob& job, std::size_t item) {
    return job.folder / "thumbnails" / fmt::format("{}.jpg", item);
}

fs::path estimates_file(const BatchJob& job) {
    return job.folder / "estimates.json";
}

}  // namespace plenosr
