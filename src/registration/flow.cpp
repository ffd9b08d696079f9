#include "registration/flow.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "light_field/interpolate.h"
#include "light_field/smooth.h"
#include "registration/registration_parameters.h"

namespace plenosr {

using namespace registration;

namespace {

Image enlarged(const Image& flow, int width, int height) {
    Image result(width, height, 2);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < 2; ++c)
                result.at(y, x, c) = 2 * bilinear_at(flow, 0.5 * x, 0.5 * y, c);
    return result;
}

void add_and_filter(Image& flow, const Image& dx, const Image& dy) {
    for (std::size_t i = 0; i < dx.values.size(); ++i) {
        flow.values[2 * i] += dx.values[i];
        flow.values[2 * i + 1] += dy.values[i];
    }
    const Image from = flow;
    tbb::parallel_for(0, flow.height, [&](int y) {
        std::vector<float> values;
        for (int x = 0; x < flow.width; ++x)
            for (int c = 0; c < 2; ++c) {
                values.clear();
                for (int j = std::max(0, y - flow_median_radius);
                     j <= std::min(flow.height - 1, y + flow_median_radius); ++j)
                    for (int i = std::max(0, x - flow_median_radius);
                         i <= std::min(flow.width - 1, x + flow_median_radius); ++i)
                        values.push_back(from.at(j, i, c));
                flow.at(y, x, c) = median_of(values);
            }
    });
}

void flow_step(const Image& reference, const Image& frame, const FrameMotion& rigid, double gain,
               double offset, Image& flow) {
    const int w = frame.width;
    const int h = frame.height;
    Image xx(w, h);
    Image xy(w, h);
    Image yy(w, h);
    Image xr(w, h);
    Image yr(w, h);
    tbb::parallel_for(0, h, [&](int y) {
        for (int x = 0; x < w; ++x) {
            Place p = rigid.to_reference({double(x), double(y)});
            p.x += double(flow.at(y, x, 0));
            p.y += double(flow.at(y, x, 1));
            if (p.x < 1 || p.y < 1 || p.x > reference.width - 2 || p.y > reference.height - 2)
                continue;
            const double r =
                gain * double(frame.at(y, x)) + offset - double(bicubic_at(reference, p.x, p.y, 0));
            const double gx = 0.5 * double(bilinear_at(reference, p.x + 1, p.y) -
                                           bilinear_at(reference, p.x - 1, p.y));
            const double gy = 0.5 * double(bilinear_at(reference, p.x, p.y + 1) -
                                           bilinear_at(reference, p.x, p.y - 1));
            const double weight = 1 / (1 + (r / flow_robust) * (r / flow_robust));
            xx.at(y, x) = float(weight * gx * gx);
            xy.at(y, x) = float(weight * gx * gy);
            yy.at(y, x) = float(weight * gy * gy);
            xr.at(y, x) = float(weight * gx * r);
            yr.at(y, x) = float(weight * gy * r);
        }
    });
    for (Image* image : {&xx, &xy, &yy, &xr, &yr})
        *image = smoothed(*image, flow_window);
    for (std::size_t i = 0; i < xx.values.size(); ++i) {
        const double a = double(xx.values[i]) + flow_ridge;
        const double b = double(xy.values[i]);
        const double c = double(yy.values[i]) + flow_ridge;
        const double determinant = a * c - b * b;
        const double dx = (c * double(xr.values[i]) - b * double(yr.values[i])) / determinant;
        const double dy = (a * double(yr.values[i]) - b * double(xr.values[i])) / determinant;
        const double length = std::max(1.0, std::hypot(dx, dy) / longest_flow_step);
        xr.values[i] = float(dx / length);
        yr.values[i] = float(dy / length);
    }
    add_and_filter(flow, xr, yr);
}

}  // namespace

Image dense_flow(const Pyramid& reference, const Pyramid& frame, const Alignment& alignment) {
    Image flow;
    for (int level = int(frame.levels.size()) - 1; level >= 0; --level) {
        const Image& t = reference.levels[std::size_t(level)];
        const Image& i = frame.levels[std::size_t(level)];
        if (level > 0 && std::min(i.width, i.height) < smallest_flow_level) continue;
        flow = flow.empty() ? Image(i.width, i.height, 2) : enlarged(flow, i.width, i.height);
        FrameMotion rigid{inverse(alignment.warp), {}};
        const double factor = std::ldexp(1.0, level);
        rigid.matrix[2] /= factor;
        rigid.matrix[5] /= factor;
        rigid.matrix[6] *= factor;
        rigid.matrix[7] *= factor;
        for (int n = 0; n < flow_steps; ++n)
            flow_step(t, i, rigid, alignment.gain, alignment.offset, flow);
    }
    return flow;
}

}  // namespace plenosr
