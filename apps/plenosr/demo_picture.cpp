#include "demo_picture.h"

#include <algorithm>
#include <array>

#include "bitmap_font.h"

namespace plenosr::app {
namespace {

using Colour3 = std::array<float, 3>;

constexpr int gap = 8;
constexpr int label_height = 24;
constexpr float paper = 255;
constexpr float ink = 30;
constexpr int magnification = 4;
// One for each crop; colour-blind readers can distinguish them.
constexpr std::array<Colour3, 2> frame_colours = {Colour3{255, 160, 0}, Colour3{0, 150, 255}};

void paste(Image& target, const Image& source, int x, int y, int enlargement = 1) {
    for (int py = 0; py < source.height * enlargement; ++py)
        for (int px = 0; px < source.width * enlargement; ++px)
            for (int c = 0; c < target.channels; ++c)
                target.at(y + py, x + px, c) =
                    source.at(py / enlargement, px / enlargement, source.channels == 3 ? c : 0);
}

void draw_frame(Image& image, int x, int y, int width, int height, const Colour3& colour) {
    constexpr int thickness = 2;
    for (int py = -thickness; py < height + thickness; ++py)
        for (int px = -thickness; px < width + thickness; ++px) {
            const bool inside = px >= 0 && px < width && py >= 0 && py < height;
            const bool on_image =
                x + px >= 0 && x + px < image.width && y + py >= 0 && y + py < image.height;
            if (inside || !on_image) continue;
            for (int c = 0; c < 3; ++c)
                image.at(y + py, x + px, c) = colour[std::size_t(c)];
        }
}

}  // namespace

Image side_by_side(const std::vector<Panel>& panels, const std::vector<Crop>& crops) {
    const int width = panels.front().image.width;
    const int height = panels.front().image.height;
    const int inset = crop_side * magnification;
    const int insets_width = int(crops.size()) * (inset + gap) - gap;
    const int column = std::max(width, insets_width);
    Image picture(int(panels.size()) * (column + gap) + gap,
                  label_height + height + gap + inset + 2 * gap, 3, paper);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const int left = gap + int(i) * (column + gap);
        const int x = left + (column - width) / 2;
        draw_text(picture, x, 5, panels[i].label, 2, ink);
        paste(picture, panels[i].image, x, label_height);
        for (std::size_t k = 0; k < crops.size(); ++k) {
            const Colour3& colour = frame_colours[k % frame_colours.size()];
            const int inset_x = left + (column - insets_width) / 2 + int(k) * (inset + gap);
            const int inset_y = label_height + height + gap;
            draw_frame(picture, x + crops[k].x, label_height + crops[k].y, crop_side, crop_side,
                       colour);
            paste(picture, crop(panels[i].image, {crops[k].x, crops[k].y, crop_side, crop_side}),
                  inset_x, inset_y, magnification);
            draw_frame(picture, inset_x, inset_y, inset, inset, colour);
        }
    }
    return picture;
}

}  // namespace plenosr::app
