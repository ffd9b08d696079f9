#include "experiment/plot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <system_error>

#include "plenosr/error.h"
#include "plenosr/io.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

// Colours that colour-blind readers can distinguish.
constexpr std::array<const char*, 8> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#56b4e9", "#e69f00", "#000000", "#999999"};

struct Size {
    int width = 0;
    int height = 0;
};

// A folder beside the output, so that complete files can be renamed to their final name.
class ScratchFolder {
public:
    explicit ScratchFolder(const fs::path& beside) {
        std::error_code ignored;  // mkdtemp reports failures
        fs::create_directories(beside, ignored);
        std::string name = (beside / ".plot-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            throw Error(ErrorKind::output,
                        fmt::format("The folder {} cannot be written: {}.", beside.string(),
                                    std::generic_category().message(errno)));
        path_ = name;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

// Runs gnuplot with these arguments in this folder; its output goes to a file there.
int run_gnuplot(const std::vector<std::string>& arguments, const fs::path& folder) {
    const std::string output = (folder / "gnuplot.log").string();
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    std::vector<std::string> words = {"gnuplot"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, "gnuplot", &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) return -1;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string quoted(const std::string& text) {  // gnuplot doubles quotes: 'it''s'
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? "''" : std::string(1, c);
    return result + "'";
}

// ---- commands after `set output` ---------------------------------------------------------------

std::string body_of(const Plot& plot, const fs::path&) {
    std::string text = fmt::format(
        "set xlabel {}\nset ylabel {}\nset grid xtics ytics lt 1 lw 1 lc rgb '#dddddd'\n"
        "set key below\nset offsets graph 0.03, graph 0.03\n",
        quoted(plot.x_label), quoted(plot.y_label));
    if (plot.log_x) text += "set logscale x\n";
    if (plot.log_y) text += "set logscale y\n";
    if (plot.from_zero) text += "set yrange [0:*]\n";
    if (plot.series.size() == 1) text += "unset key\n";  // the axis label names the series
    std::string ticks;
    for (const auto& [x, label] : plot.x_ticks)
        ticks += fmt::format("{}{} {}", ticks.empty() ? "" : ", ", quoted(label), x);
    if (!ticks.empty()) text += "set xtics (" + ticks + ")\nunset mxtics\n";
    std::string curves;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const Series& s = plot.series[i];
        const char* colour = s.marks_only ? "#000000" : colours[i % colours.size()];
        text += fmt::format("$data{} << END\n", i);
        for (std::size_t k = 0; k < s.x.size(); ++k)
            if (std::isfinite(s.y[k])) text += fmt::format("{} {}\n", s.x[k], s.y[k]);
        text += "END\n";
        const bool few = s.x.size() <= 40;
        curves += fmt::format("{}$data{} using 1:2 with {} lw 2 ps 1 {} lc rgb '{}' title {}",
                              curves.empty() ? "" : ", ", i,
                              s.marks_only ? "points"
                              : few        ? "linespoints"
                                           : "lines",
                              few || s.marks_only ? fmt::format("pt {}", s.marks_only ? 2 : 7) : "",
                              colour, quoted(s.name));
    }
    return text + "plot " + curves + "\n";
}

std::string body_of(const Bars& bars, const fs::path&) {
    std::string text = fmt::format(
        "set ylabel {}\nset grid ytics lt 1 lw 1 lc rgb '#dddddd'\nset key below\n"
        "set style data histograms\nset style histogram rowstacked\nset style fill solid 0.9\n"
        "set boxwidth 0.6\nset yrange [0:*]\nset xtics rotate by -25\n$data << END\n",
        quoted(bars.y_label));
    for (std::size_t g = 0; g < bars.groups.size(); ++g) {
        std::string name = bars.groups[g];
        std::replace(name.begin(), name.end(), '"', '\'');
        text += '"' + name + '"';
        for (const Bars::Part& part : bars.parts)
            text += fmt::format(" {}", part.heights[g]);
        text += "\n";
    }
    text += "END\nplot ";
    for (std::size_t i = 0; i < bars.parts.size(); ++i)
        text += fmt::format("{}$data using {}:xtic(1) lc rgb '{}' title {}", i > 0 ? ", " : "",
                            i + 2, colours[i % colours.size()], quoted(bars.parts[i].name));
    return text + "\n";
}

void write_coloured(const fs::path& file, const Image& image) {
    write_image(file, image.channels == 3 ? image : merge_channels({image, image, image}));
}

std::string body_of(const Pictures& pictures, const fs::path& folder) {
    const std::size_t columns = pictures.pictures.size();
    const bool parts = pictures.part_side > 0;
    std::string text = fmt::format(
        "set multiplot layout {},{} margins 0.005,0.995,0.005,0.93 spacing 0.01,0.01\n"
        "unset tics\nunset border\nunset key\nset size ratio -1\n",
        parts ? 2 : 1, columns);
    const auto show = [&](const std::string& file, const Image& image) {
        write_coloured(folder / file, image);
        text += fmt::format(
            "set xrange [-0.5:{}]\nset yrange [-0.5:{}]\n"
            "plot {} binary filetype=png with rgbimage\n",
            double(image.width) - 0.5, double(image.height) - 0.5, quoted(file));
    };
    for (std::size_t i = 0; i < columns; ++i) {
        const Image& image = pictures.pictures[i].image;
        text += fmt::format("set title {} offset 0,-0.7\n", quoted(pictures.pictures[i].label));
        if (parts)
            // rgbimage counts rows from the bottom
            text += fmt::format(
                "set object 1 rectangle from {},{} to {},{} front fs empty border rgb '#00ff00' lw "
                "2\n",
                pictures.part_x, image.height - pictures.part_y,
                pictures.part_x + pictures.part_side,
                image.height - pictures.part_y - pictures.part_side);
        show(fmt::format("whole{}.png", i), image);
    }
    if (parts) {
        text += "unset object 1\nunset title\n";
        const Box part{pictures.part_x, pictures.part_y, pictures.part_side, pictures.part_side};
        for (std::size_t i = 0; i < columns; ++i)
            show(fmt::format("part{}.png", i), crop(pictures.pictures[i].image, part));
    }
    return text + "unset multiplot\n";
}

Size size_of(const Plot&) {
    return {760, 520};
}
Size size_of(const Bars& bars) {
    return {int(std::min<std::size_t>(1600, 420 + 90 * bars.groups.size())), 460};
}
Size size_of(const Pictures& pictures) {
    constexpr int column = 300;
    const Image& first = pictures.pictures.front().image;
    const int row = column * first.height / std::max(1, first.width);
    return {column * int(pictures.pictures.size()),
            int((row + (pictures.part_side > 0 ? column : 0)) / 0.92)};
}

}  // namespace

Image grey_picture(const Image& values) {
    const auto [least, most] = std::minmax_element(values.values.begin(), values.values.end());
    const float range = std::max(*most - *least, 1e-6F);
    Image picture = values;
    for (float& value : picture.values)
        value = 255.0F * (value - *least) / range;
    return picture;
}

std::string contents_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

bool gnuplot_is_installed() {
    const ScratchFolder scratch(fs::temp_directory_path());
    return run_gnuplot({"--version"}, scratch.path()) == 0;
}

void draw(const Figure& figure, const fs::path& folder) {
    const ScratchFolder scratch(fs::absolute(folder));
    const auto [size, body] = std::visit(
        [&](const auto& content) {
            return std::pair(size_of(content), body_of(content, scratch.path()));
        },
        figure.content);
    std::string script = fmt::format("set encoding utf8\ncd {}\n", quoted(scratch.path().string()));
    for (const char* ending : {"svg", "png"})
        script += fmt::format(
            "reset\nset terminal {} size {},{} font 'DejaVu Sans,12' background '#ffffff' "
            "noenhanced\nset output 'figure.{}'\n{}unset output\n",
            std::string(ending) == "png" ? "pngcairo" : "svg", size.width, size.height, ending,
            body);
    write_text_file(scratch.path() / "figure.gp", script);
    // On a full disk gnuplot writes an incomplete picture and reports success.
    if (run_gnuplot({(scratch.path() / "figure.gp").string()}, scratch.path()) != 0 ||
        contents_of(scratch.path() / "figure.svg").find("</svg>") == std::string::npos) {
        const std::string why = contents_of(scratch.path() / "gnuplot.log").substr(0, 300);
        throw Error(
            ErrorKind::output,
            fmt::format("gnuplot could not draw {} in {}: {}", figure.name, folder.string(),
                        why.empty() ? "the picture is incomplete; the disk may be full" : why));
    }
    for (const char* ending : {".svg", ".png"}) {
        const fs::path file = folder / (figure.name + ending);
        std::error_code failed;
        fs::rename(scratch.path() / (std::string("figure") + ending), file, failed);
        if (failed)
            throw Error(ErrorKind::output, fmt::format("The file {} cannot be written: {}.",
                                                       file.string(), failed.message()));
    }
}

}  // namespace plenosr::app
