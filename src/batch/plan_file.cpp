#include "batch/plan_file.h"

#include <algorithm>
#include <set>

#include "batch/item_names.h"
#include "io/json_reader.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

using io::Json;
using io::JsonReader;

constexpr int layout = 1;  // of the file

Json json_of(const FilesDigest& digest) {
    return {{"files", digest.files}, {"bytes", digest.bytes}, {"sha256", digest.sha256}};
}

Json json_of(const std::vector<fs::path>& paths) {
    Json list = Json::array();
    for (const fs::path& path : paths)
        list.push_back(path.string());
    return list;
}

bool is_digest(const std::string& text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

FilesDigest digest_from(const JsonReader& reader) {
    FilesDigest digest{reader.unsigned_integer("files"), reader.unsigned_integer("bytes"),
                       reader.text("sha256")};
    if (!is_digest(digest.sha256)) reader.refuse("a \"sha256\" is not one of 64 digits");
    return digest;
}

// A path that means the same to every process, whatever its working folder is.
fs::path path_from(const JsonReader& reader, const std::string& text) {
    fs::path path(text);
    if (!path.is_absolute() || path != path.lexically_normal() ||
        text.find('\0') != std::string::npos)
        reader.refuse("the path \"{}\" must be absolute and without \"..\"", printable_name(text));
    return path;
}

std::vector<fs::path> paths_from(const JsonReader& reader, const char* key) {
    std::vector<fs::path> paths;
    for (const std::string& text : reader.texts(key))
        paths.push_back(path_from(reader, text));
    return paths;
}

BatchItem item_from(const JsonReader& reader) {
    BatchItem item;
    item.name = reader.text("name");
    if (!is_item_name(item.name))
        reader.refuse("\"{}\" cannot be the name of a result", printable_name(item.name));
    item.inputs = paths_from(reader, "inputs");
    if (item.inputs.empty()) reader.refuse("the item {} has no input", item.name);
    constexpr int most_frames = 10000;
    if (reader.has("reference")) item.reference = reader.integer("reference", 0, most_frames);
    item.error = reader.has("error") ? reader.text("error") : std::string();
    if (item.error.empty()) item.digest = digest_from(reader);
    return item;
}

}  // namespace

std::string format_plan(const BatchPlan& plan) {
    Json json;
    json["plenosr_plan"] = layout;
    json["version"] = plan.version;
    json["commit"] = plan.commit;
    json["items_are"] = plan.frames ? "bursts" : "light_fields";
    json["output"] = plan.output.string();
    json["extension"] = plan.extension;
    json["options"] = Json::object();
    for (const auto& [name, text] : plan.options)
        json["options"][name] = text;
    json["option_files"] = json_of(plan.option_digest);
    json["option_files"]["paths"] = json_of(plan.option_files);
    if (!plan.sample.empty()) json["sample"] = plan.sample;
    json["items"] = Json::array();
    for (const BatchItem& item : plan.items) {
        Json entry;
        entry["name"] = item.name;
        entry["inputs"] = json_of(item.inputs);
        if (item.reference) entry["reference"] = *item.reference;
        if (item.error.empty())
            entry.update(json_of(item.digest));
        else
            entry["error"] = item.error;
        json["items"].push_back(std::move(entry));
    }
    return json.dump(1) + "\n";
}

BatchPlan parse_plan(const fs::path& file, const std::string& text) {
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::exception& error) {
        refuse_file(file, std::string("it is no JSON: ") + error.what(), "plan");
    }
    const JsonReader reader(file, json, {}, "plan");
    reader.integer("plenosr_plan", layout, layout);
    BatchPlan plan;
    plan.version = reader.text("version");
    plan.commit = reader.text("commit");
    constexpr io::Names<bool, 2> kinds = {{{"light_fields", false}, {"bursts", true}}};
    plan.frames = reader.choice("items_are", kinds);
    plan.output = path_from(reader, reader.text("output"));
    plan.extension = reader.text("extension");
    if (!is_extension(plan.extension))
        reader.refuse("\"{}\" is no extension of a picture", printable_name(plan.extension));
    plan.options = reader.all_texts("options");
    const JsonReader files = reader.object("option_files");
    plan.option_digest = digest_from(files);
    plan.option_files = paths_from(files, "paths");
    std::set<std::string> names;
    reader.each("items", [&](const JsonReader& entry) {
        plan.items.push_back(item_from(entry));
        if (!names.insert(plan.items.back().name).second)
            reader.refuse("two items have the name {}", plan.items.back().name);
    });
    if (reader.has("sample"))
        for (const int item : reader.integers("sample", 0, int(plan.items.size()) - 1))
            plan.sample.push_back(std::size_t(item));
    return plan;
}

}  // namespace plenosr
