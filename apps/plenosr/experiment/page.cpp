#include "experiment/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "plenosr/csv.h"
#include "plenosr/html.h"
#include "plenosr/io.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

std::string shown(const Json& cell, const Column& column, const char* none) {
    if (cell.is_null()) return none;
    if (cell.is_string()) return cell.get<std::string>();
    if (cell.is_number_integer()) return fmt::format("{}", cell.get<long long>());
    return fmt::format("{:.{}f}", cell.get<double>(), column.decimals);
}

std::string csv_of(const Table& table) {
    std::string text;
    for (const Column& column : table.columns)
        text += (text.empty() ? "" : ",") + csv_field(column.name);
    text += "\n";
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const Json& cell = row[i];
            text += i > 0 ? "," : "";
            text += cell.is_null()     ? ""
                    : cell.is_string() ? csv_field(cell.get<std::string>())
                                       : cell.dump();
        }
        text += "\n";
    }
    return text;
}

std::string markdown_of(const Table& table) {
    std::string text = "| ";
    std::string line = "|";
    for (const Column& column : table.columns) {
        text += column.name + " | ";
        line += "---|";
    }
    text += "\n" + line + "\n";
    for (const auto& row : table.rows) {
        text += "| ";
        for (std::size_t i = 0; i < row.size(); ++i)
            text += shown(row[i], table.columns[i], "–") + " | ";
        text += "\n";
    }
    return text;
}

std::string markdown_of(const Page& page) {
    std::string text = fmt::format("# {}\n\nIn the paper: {}\n\n```sh\n{}\n```\n", page.title,
                                   page.paper, page.command);
    for (const std::string& paragraph : page.text)
        text += "\n" + paragraph + "\n";
    const auto list = [&](const char* head, const std::vector<std::string>& lines) {
        if (lines.empty()) return;
        text += fmt::format("\n## {}\n\n", head);
        for (const std::string& line : lines)
            text += "- " + line + "\n";
    };
    list("Found", page.found);
    list("Missing", page.missing);
    for (const Table& table : page.tables)
        text += fmt::format("\n## {}\n\n{}\n[{}.csv]({}.csv)\n", table.caption, markdown_of(table),
                            table.name, table.name);
    for (const Figure& figure : page.figures)
        text += fmt::format("\n![{}]({}.svg)\n", figure.caption, figure.name);
    list("Made with", page.made_with);
    return text;
}

Json json_of(const Page& page) {
    Json json;
    json["experiment"] = page.name;
    json["paper"] = page.paper;
    json["command"] = page.command;
    json["made_with"] = page.made_with;
    json["found"] = page.found;
    json["missing"] = page.missing;
    json["seconds"] = page.seconds;
    for (const Table& table : page.tables) {
        Json rows = Json::array();
        for (const auto& row : table.rows) {
            Json object;
            for (std::size_t i = 0; i < row.size(); ++i)
                object[table.columns[i].name] = row[i];
            rows.push_back(object);
        }
        json["tables"][table.name] = rows;
    }
    return json;
}

// ---- HTML ---------------------------------------------------------------------------------------

std::string html_of(const Table& table) {
    std::string text =
        fmt::format("<h3>{}</h3>\n<div class=wide><table>\n<tr>", escaped_html(table.caption));
    for (const Column& column : table.columns)
        text += "<th>" + escaped_html(column.name) + "</th>";
    text += "</tr>\n";
    for (const auto& row : table.rows) {
        text += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i)
            text += fmt::format("<td{}>{}</td>", row[i].is_number() ? " class=n" : "",
                                escaped_html(shown(row[i], table.columns[i], "–")));
        text += "</tr>\n";
    }
    return text + "</table></div>\n";
}

std::string html_of(const Page& page, const fs::path& folder) {
    std::string text = fmt::format(
        "<section id=\"{}\">\n<h2>{}</h2>\n<p>In the paper: {}</p>\n<pre>{}</pre>\n", page.name,
        escaped_html(page.title), escaped_html(page.paper), escaped_html(page.command));
    for (const std::string& paragraph : page.text)
        text += "<p>" + escaped_html(paragraph) + "</p>\n";
    const auto list = [&](const char* kind, const std::vector<std::string>& lines) {
        if (lines.empty()) return;
        text += fmt::format("<ul class={}>\n", kind);
        for (const std::string& line : lines)
            text += "<li>" + escaped_html(line) + "</li>\n";
        text += "</ul>\n";
    };
    list("found", page.found);
    list("missing", page.missing);
    for (const Figure& figure : page.figures) {
        const std::string svg = contents_of(folder / page.name / (figure.name + ".svg"));
        text += fmt::format(
            "<figure><img alt=\"{0}\" src=\"{1}\"><figcaption>{0}"
            "</figcaption></figure>\n",
            escaped_html(figure.caption), data_uri("image/svg+xml", svg));
    }
    for (const Table& table : page.tables)
        text += html_of(table);
    list("with", page.made_with);
    return text + "</section>\n";
}

constexpr const char* html_head =
    "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
    "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
    "<title>PlenoSR: experiments</title>\n<style>\n"
    "body{font:16px/1.5 sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}\n"
    "table{border-collapse:collapse;font-size:.9rem}td,th{border:1px solid #ccc;padding:.2rem "
    ".5rem}\n"
    "th{background:#f3f3f3}td.n{text-align:right;font-variant-numeric:tabular-nums}\n"
    ".wide{overflow-x:auto}img{max-width:100%;height:auto}pre{background:#f3f3f3;padding:.6rem;"
    "overflow-x:auto}\n"
    "figure{margin:1rem 0}figcaption,.with{color:#555;font-size:.9rem}.missing{color:#a00}\n"
    "</style>\n</head>\n<body>\n<h1>PlenoSR: experiments</h1>\n";

}  // namespace

fs::path write_page(Page& page, const fs::path& folder) {
    if (!page.figures.empty() && !gnuplot_is_installed()) {
        page.missing.emplace_back(
            "The figures: gnuplot was not found; Debian's package is gnuplot-nox.");
        page.figures.clear();
    }
    for (const Figure& figure : page.figures)
        draw(figure, folder);
    for (const Table& table : page.tables)
        write_text_file(folder / (table.name + ".csv"), csv_of(table));
    write_text_file(folder / (page.name + ".json"), json_of(page).dump(2) + "\n");
    fs::path file = folder / (page.name + ".md");
    write_text_file(file, markdown_of(page));
    return file;
}

void write_html(const std::vector<Page>& pages, const fs::path& folder, const fs::path& file) {
    std::string text = html_head;
    text += "<ul>\n";
    for (const Page& page : pages)
        text +=
            fmt::format("<li><a href=\"#{}\">{}</a></li>\n", page.name, escaped_html(page.title));
    text += "</ul>\n";
    for (const Page& page : pages)
        text += html_of(page, folder);
    write_text_file(file, text + "</body>\n</html>\n");
}

}  // namespace plenosr::app
