#include <fmt/format.h>

#include <functional>

#include "backends/cpu/blur.h"
#include "backends/cpu/differences.h"
#include "backends/cpu/stencil.h"
#include "benches.h"
#include "cases.h"
#include "interleave.h"
#include "machine_kernels.h"

namespace plenosr::bench {
namespace {

struct Machine {
    double triad = 0;        // bytes per second, beyond all caches
    double read = 0;         // the same, reading only
    double read_cached = 0;  // reading as much as a stencil, repeatedly
    double fma = 0;          // multiply-adds per second
};

Machine measure_machine(const cpu::Parallel& parallel, std::size_t stencil_bytes, int rounds) {
    constexpr int pieces = 256;
    constexpr std::size_t piece = std::size_t(1) << 18;  // 64 Mi floats per array: 256 MiB
    cpu::Vector a(pieces * piece);
    cpu::Vector b(pieces * piece);
    cpu::Vector c(pieces * piece);
    const std::size_t part = stencil_bytes / sizeof(float) / pieces;
    constexpr int fma_rounds = 20000;
    volatile float sink = 0;
    const auto over = [&](const auto& fn) {
        parallel.ranges(pieces, 1, [&](int begin, int end) {
            for (int i = begin; i < end; ++i)
                fn(std::size_t(i));
        });
    };
    Interleave race;
    race.add("triad", [&] {
        return seconds_of(1, [&] {
            over([&](std::size_t i) {
                triad(b.data() + i * piece, c.data() + i * piece, a.data() + i * piece, piece);
            });
        });
    });
    race.add("read", [&] {
        return seconds_of(
            1, [&] { over([&](std::size_t i) { sink = read_all(b.data() + i * piece, piece); }); });
    });
    race.add("read cached", [&] {
        return seconds_of(
            20, [&] { over([&](std::size_t i) { sink = read_all(b.data() + i * part, part); }); });
    });
    race.add("fma", [&] {
        return seconds_of(1, [&] { over([&](std::size_t) { sink = multiply_add(fma_rounds); }); });
    });
    const std::vector<Timing> t = race.run(rounds);
    const double bytes = double(pieces * piece * sizeof(float));
    return {3 * bytes / t[0].best, bytes / t[1].best,
            double(pieces * part * sizeof(float)) / t[2].best,
            double(pieces) * fma_rounds * fma_per_round() / t[3].best};
}

}  // namespace

void roofline(const Options& o) {
    const Case c{4, 5, 1, o.size};
    const Problem problem = make_problem(c);
    const cpu::Parallel parallel(o.threads);
    const SamplePositions at = sample_positions(problem);
    const cpu::Blur blur(problem.psf, problem.width, problem.height);
    const cpu::PaddedShape shape = blur.padded_shape();
    const cpu::Sampler sampler(shape, Interpolation::bicubic, at.positions, problem.scale);
    cpu::Stencil stencil(shape, 4);
    stencil.assemble(sampler, at.weights.data(), parallel);
    const cpu::Differences near(problem.width, problem.height, window_directions(1));
    const cpu::Differences far(problem.width, problem.height, window_directions(2));
    const std::vector<float> start = start_image(c);
    cpu::Vector p(start.size());
    std::copy(start.begin(), start.end(), p.data());
    cpu::Vector q(start.size());
    cpu::PaddedImage blurred(shape);
    cpu::PaddedImage spread(shape);
    blur.forward(p.data(), blurred, parallel);

    const double image = double(problem.pixels());
    const double padded = double(shape.width()) * shape.height();
    const double taps = problem.psf.width();
    const auto all_rows = [&](const cpu::Differences& s) {
        parallel.ranges(problem.height, 8, [&](int begin, int end) {
            for (int y = begin; y < end; ++y)
                s.add_normal_row(0.005F, p.data(), y, q.data() + std::ptrdiff_t(y) * problem.width);
        });
    };
    struct Kernel {
        const char* name;
        double bytes;  // minimum traffic: every value moves once
        double fma;    // minimum number of multiply-adds
        std::function<void()> run;
    };
    const std::vector<Kernel> kernels = {
        {"stencil", padded * (25 * 2 + 8), padded * 49,
         [&] { stencil.apply(blurred, spread, parallel); }},
        {"blur forward", 4 * (image + padded), 2 * taps * padded,
         [&] { blur.forward(p.data(), blurred, parallel); }},
        {"blur adjoint", 4 * (image + padded), 2 * taps * padded,
         [&] { blur.adjoint(spread, q.data(), parallel); }},
        {"S'S p, radius 1", 4 * 3 * image, (2 * 3 + 2) * image, [&] { all_rows(near); }},
        {"S'S p, radius 2", 4 * 3 * image, (2 * 5 + 2) * image, [&] { all_rows(far); }},
    };
    Interleave race;
    for (const Kernel& kernel : kernels)
        race.add(kernel.name, [&] { return seconds_of(5, kernel.run); });
    const std::vector<Timing> timings = race.run(o.rounds);
    const Machine machine = measure_machine(parallel, stencil.bytes(), o.rounds);

    fmt::print(
        "## Against what the machine can do\n\n{} threads. Bytes and multiply-adds are those "
        "that the mathematics asks for once.\n\n"
        "| the machine | |\n|---|---|\n| STREAM triad | {:.1f} GB/s |\n"
        "| reading from memory | {:.1f} GB/s |\n"
        "| reading {:.0f} MB again and again | {:.1f} GB/s |\n"
        "| multiply-adds | {:.1f} G/s |\n\n",
        parallel.threads(), machine.triad / 1e9, machine.read / 1e9, double(stencil.bytes()) / 1e6,
        machine.read_cached / 1e9, machine.fma / 1e9);
    fmt::print(
        "| part, ×4, {} × {} | ms | GB/s | of reading from memory | of cached reading | "
        "G multiply-adds/s | of the peak |\n|---|---|---|---|---|---|---|\n",
        o.size, o.size);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const double seconds = timings[i].best;
        const double bandwidth = kernels[i].bytes / seconds;
        const double rate = kernels[i].fma / seconds;
        fmt::print("| {} | {:.3f} | {:.1f} | {:.0f} % | {:.0f} % | {:.1f} | {:.0f} % |\n",
                   kernels[i].name, 1e3 * seconds, bandwidth / 1e9, 100 * bandwidth / machine.read,
                   100 * bandwidth / machine.read_cached, rate / 1e9, 100 * rate / machine.fma);
    }
}

}  // namespace plenosr::bench
