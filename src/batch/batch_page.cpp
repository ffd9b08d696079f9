#include <fmt/format.h>

#include <algorithm>

#include "batch/finish.h"
#include "io/input_file.h"
#include "plenosr/csv.h"
#include "plenosr/html.h"

namespace plenosr {
namespace {

using io::Json;

// The value at a path of keys; null if there is none.
Json value_at(const Json& report, std::initializer_list<const char*> keys) {
    const Json* at = &report;
    for (const char* key : keys) {
        if (!at->is_object() || !at->contains(key)) return nullptr;
        at = &at->at(key);
    }
    return *at;
}

struct Column {
    const char* name;
    std::initializer_list<const char*> keys;  // of the item's report
};
const Column columns[] = {
    {"width", {"width"}},
    {"height", {"height"}},
    {"scale", {"options", "scale"}},
    {"noise", {"sensor_noise"}},
    {"impulses", {"impulses"}},
    {"lambda", {"lambda"}},
    {"blur", {"chosen", "blur"}},
    {"regions", {"self_check", "regions"}},
    {"regions_better", {"self_check", "better"}},
    {"fallback", {"self_check", "fallback"}},
    {"seconds", {"task", "seconds"}},
    {"cpu_seconds", {"task", "cpu_seconds"}},
    {"peak_memory_bytes", {"task", "peak_memory_bytes"}},
    {"device", {"device"}},
    {"host", {"task", "host"}},
};

// Four significant digits, for people.
std::string shown(const Json& value) {
    if (value.is_null()) return "";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return fmt::format("{:.4g}", value.get<double>());
    return value.dump();
}

// A name as a part of an address.
std::string address_of(const std::string& name) {
    std::string address = "./";
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
        address += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return address;
}

constexpr const char* style =
    "body{font:15px/1.4 sans-serif;margin:1.5em auto;max-width:75em;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;font-size:13px}th,td{padding:.2em .6em;text-align:left;"
    "border-bottom:1px solid #ddd;white-space:nowrap}.wide{overflow-x:auto}"
    ".items{display:flex;flex-wrap:wrap;gap:1em}figure{margin:0;width:256px}"
    "figure img{display:block;max-width:256px}figcaption{font-size:13px;overflow-wrap:anywhere}"
    ".failed{color:#a00}"
    "@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}"
    "th,td{border-color:#444}.failed{color:#f88}a{color:#8bf}}";

std::string figure_of(const ItemRow& row) {
    const std::string name = escaped_html(row.name);
    if (!row.error.empty())
        return fmt::format("<figure><figcaption class=failed><b>{}</b>: {}</figcaption></figure>\n",
                           name, escaped_html(row.error));
    const std::string picture =
        io::is_file(row.thumbnail)
            ? fmt::format("<img alt=\"{}\" src=\"{}\">", name,
                          data_uri("image/jpeg", io::read_bytes(row.thumbnail)))
            : std::string();
    return fmt::format("<figure><a href=\"{}\">{}</a><figcaption>{}</figcaption></figure>\n",
                       escaped_html(address_of(row.file)), picture, name);
}

std::string table_of(const std::vector<ItemRow>& rows) {
    std::string text = "<div class=wide><table>\n<tr><th>item</th>";
    for (const Column& column : columns)
        text += fmt::format("<th>{}</th>", column.name);
    text += "</tr>\n";
    for (const ItemRow& row : rows) {
        text += fmt::format("<tr{}><td>{}</td>", row.error.empty() ? "" : " class=failed",
                            escaped_html(row.name));
        for (const Column& column : columns)
            text +=
                fmt::format("<td>{}</td>", escaped_html(shown(value_at(row.report, column.keys))));
        text += "</tr>\n";
    }
    return text + "</table></div>\n";
}

// Notes with the items that have them, each once.
std::string notes_of(const std::vector<ItemRow>& rows) {
    std::string text;
    for (const ItemRow& row : rows) {
        const Json notes = value_at(row.report, {"notes"});
        if (!notes.is_array()) continue;
        for (const Json& note : notes)
            if (note.is_string())
                text += fmt::format("<li><b>{}</b>: {}</li>\n", escaped_html(row.name),
                                    escaped_html(note.get<std::string>()));
    }
    return text.empty() ? text : fmt::format("<h2>Notes</h2>\n<ul>\n{}</ul>\n", text);
}

std::size_t failures(const std::vector<ItemRow>& rows) {
    return std::size_t(std::count_if(rows.begin(), rows.end(),
                                     [](const ItemRow& row) { return !row.error.empty(); }));
}

}  // namespace

std::string batch_csv(const std::vector<ItemRow>& rows) {
    std::string text = "item,input,state,file";
    for (const Column& column : columns)
        text += fmt::format(",{}", column.name);
    text += ",error\n";
    for (const ItemRow& row : rows) {
        text += fmt::format("{},{},{},{}", csv_field(row.name), csv_field(row.input),
                            row.error.empty() ? "done" : "failed", csv_field(row.file));
        for (const Column& column : columns) {
            const Json value = value_at(row.report, column.keys);
            text += ',';
            if (!value.is_null())
                text += value.is_string() ? csv_field(value.get<std::string>()) : value.dump();
        }
        text += fmt::format(",{}\n", csv_field(row.error));
    }
    return text;
}

std::string batch_json(const BatchJob& job, const std::vector<ItemRow>& rows) {
    Json json;
    json["version"] = job.plan.version;
    json["commit"] = job.plan.commit;
    json["plan"] = job.hash;
    json["done"] = rows.size() - failures(rows);
    json["failed"] = failures(rows);
    json["items"] = Json::array();
    for (const ItemRow& row : rows) {
        Json item;
        item["item"] = row.name;
        item["input"] = row.input;
        item["state"] = row.error.empty() ? "done" : "failed";
        if (!row.file.empty()) item["file"] = row.file;
        if (!row.error.empty()) item["error"] = row.error;
        if (!row.report.is_null()) item["report"] = row.report;
        json["items"].push_back(std::move(item));
    }
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string batch_page(const BatchJob& job, const std::vector<ItemRow>& rows) {
    const std::string title =
        fmt::format("{} results", rows.size() - failures(rows)) +
        (failures(rows) > 0 ? fmt::format(", {} failed", failures(rows)) : std::string());
    std::string text = fmt::format(
        "<!doctype html>\n<html lang=en><meta charset=utf-8>\n"
        "<meta name=viewport content=\"width=device-width\">\n"
        "<title>{} – PlenoSR</title>\n<style>{}</style>\n<h1>{}</h1>\n"
        "<p>{} by PlenoSR {} (commit {}). <a href=\"{}\">{}</a> and <a href=\"{}\">{}</a> have the "
        "figures.</p>\n<div class=items>\n",
        title, style, title, job.plan.frames ? "Bursts" : "Light fields",
        escaped_html(job.plan.version), escaped_html(job.plan.commit), table_name, table_name,
        results_name, results_name);
    for (const ItemRow& row : rows)
        text += figure_of(row);
    return text + "</div>\n<h2>Figures</h2>\n" + table_of(rows) + notes_of(rows) + "</html>\n";
}

}  // namespace plenosr
