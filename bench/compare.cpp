#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>

#include "benches.h"
#include "cases.h"
#include "csr_baseline.h"
#include "interleave.h"
#include "plenosr/error.h"
#include "steps.h"

namespace plenosr::bench {
namespace {

constexpr int cg_steps_timed = 5;
constexpr int iterations_timed = 2;

double relative_difference(const cpu::Vector& a, const cpu::Vector& b) {
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += std::pow(double(a[i]) - double(b[i]), 2);
        size += std::pow(double(a[i]), 2);
    }
    return std::sqrt(difference / size);
}

void require_equal(const char* what, double difference, double limit) {
    if (!(difference < limit))
        throw Error(ErrorKind::input,
                    fmt::format("{}: the matrices and the operators differ by {:.1e} relative; "
                                "less than {:.0e} was expected, so their times say nothing",
                                what, difference, limit));
}

// The times are comparable only if the baseline computes the same.
void require_same_operators(cpu::Backend& ours, CsrBackend& csr, const std::vector<float>& start) {
    cpu::Vector x = ours.upload(start);
    cpu::Vector s1 = ours.new_samples();
    cpu::Vector s2 = ours.new_samples();
    cpu::Vector g1 = ours.new_image();
    cpu::Vector g2 = ours.new_image();
    ours.forward(x, s1);
    csr.forward(x, s2);
    require_equal("A x", relative_difference(s1, s2), 1e-5);
    ours.adjoint(s1, g1);
    csr.adjoint(s1, g2);
    require_equal("A' s", relative_difference(g1, g2), 1e-5);
    ours.normal(0.07, 0.005, x, g1);
    csr.normal(0.07, 0.005, x, g2);
    require_equal("(a A'MA + b S'S) x", relative_difference(g1, g2), 1e-5);
}

template <SolverBackend B>
struct Contestant {
    std::unique_ptr<B> backend;
    std::unique_ptr<Steps<B>> steps;

    Contestant(const Problem& problem, NormalForm normal, const std::vector<float>& start,
               int threads) {
        Problem p = problem;
        p.normal = normal;
        backend = std::make_unique<B>(p, threads);
        steps = std::make_unique<Steps<B>>(*backend, start);
    }
    double cg_step() {
        steps->restart_cg();
        return seconds_of(cg_steps_timed, [&] { steps->cg_step(); });
    }
    double right_hand_side() {
        return seconds_of(iterations_timed, [&] { steps->right_hand_side(); });
    }
    double admm_iteration() {
        return seconds_of(iterations_timed, [&] { steps->admm_iteration(); });
    }
};

struct Row {
    Case c;
    std::map<std::string, double> ms;  // "cg stencil" and others -> best of all rounds
    double mb_direct = 0;
    double mb_stencil = 0;
    double mb_csr = 0;
    bool csr() const { return mb_csr > 0; }
    double ratio(const char* above, const char* below) const { return ms.at(above) / ms.at(below); }
};

Row measure(const Case& c, const Options& o) {
    const Problem problem = make_problem(c);
    const std::vector<float> start = start_image(c);
    using Ours = Contestant<cpu::Backend>;
    Ours direct(problem, NormalForm::direct, start, o.threads);
    Ours stencil(problem, NormalForm::stencil_f16, start, o.threads);
    std::unique_ptr<Contestant<CsrBackend>> csr;
    Row row{c, {}, 0, 0, 0};
    if (c.views() <= o.max_csr_views) {
        csr =
            std::make_unique<Contestant<CsrBackend>>(problem, NormalForm::direct, start, o.threads);
        row.mb_csr = double(csr->backend->matrix_bytes()) / 1e6;
        for (const auto& tried : csr->backend->a().choose_kernel(csr->backend->parallel()))
            row.ms["A x by " + tried.name] = 1e3 * tried.seconds;
        require_same_operators(*direct.backend, *csr->backend, start);
    }
    row.mb_direct = double(direct.backend->operator_bytes()) / 1e6;
    row.mb_stencil = double(stencil.backend->operator_bytes()) / 1e6;

    const std::vector<float> m(stencil.backend->samples(), 0.5F);
    Interleave race;
    race.add("cg direct", [&] { return direct.cg_step(); });
    race.add("cg stencil", [&] { return stencil.cg_step(); });
    if (csr) race.add("cg csr", [&] { return csr->cg_step(); });
    race.add("rhs", [&] { return stencil.right_hand_side(); });
    if (csr) race.add("rhs csr", [&] { return csr->right_hand_side(); });
    race.add("admm direct", [&] { return direct.admm_iteration(); });
    race.add("admm stencil", [&] { return stencil.admm_iteration(); });
    if (csr) race.add("admm csr", [&] { return csr->admm_iteration(); });
    for (const Timing& t : race.run(o.rounds))
        row.ms[t.name] = 1e3 * t.best;

    // Last, since they change the weights m that the others use.
    if (csr) {
        csr->backend->assemble_prior();
        row.ms["cg csr assembled prior"] = 1e9;
    }
    Interleave assembly;
    assembly.add("assembly",
                 [&] { return seconds_of(1, [&] { stencil.backend->set_sample_weights(m); }); });
    if (csr) assembly.add("cg csr assembled prior", [&] { return csr->cg_step(); });
    for (const Timing& t : assembly.run(std::max(3, o.rounds / 2)))
        row.ms[t.name] = 1e3 * t.best;
    return row;
}

std::string case_name(const Case& c) {
    return fmt::format("×{}, {} views, r {}", c.scale, c.views(), c.radius);
}

std::string or_dash(bool there, const std::string& text) {
    return there ? text : "–";
}

void print_times(const std::vector<Row>& rows) {
    fmt::print(
        "| case | CG direct | CG stencil | CG CSR (with S'S assembled) | "
        "right-hand side (CSR) | assembly | ADMM direct / stencil | ADMM CSR | "
        "MB direct / stencil | MB CSR |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (const Row& r : rows) {
        const auto ms = [&](const char* name) { return r.ms.contains(name) ? r.ms.at(name) : 0.0; };
        fmt::print(
            "| {} | {:.2f} | {:.2f} | {} | {:.2f}{} | {:.1f} | {:.1f} / {:.1f} | {} | "
            "{:.0f} / {:.0f} | {} |\n",
            case_name(r.c), ms("cg direct"), ms("cg stencil"),
            or_dash(r.csr(),
                    fmt::format("{:.1f} ({:.1f})", ms("cg csr"), ms("cg csr assembled prior"))),
            ms("rhs"), r.csr() ? fmt::format(" ({:.1f})", ms("rhs csr")) : "", ms("assembly"),
            ms("admm direct"), ms("admm stencil"),
            or_dash(r.csr(), fmt::format("{:.1f}", ms("admm csr"))), r.mb_direct, r.mb_stencil,
            or_dash(r.csr(), fmt::format("{:.0f}", r.mb_csr)));
    }
}

void print_ratios(const std::vector<Row>& rows) {
    fmt::print(
        "\n| case | CG step: CSR / stencil (S'S assembled) | ADMM iteration: CSR / stencil | "
        "memory: CSR / stencil |\n|---|---|---|---|\n");
    for (const Row& r : rows)
        if (r.csr())
            fmt::print("| {} | {:.1f} ({:.1f}) | {:.1f} | {:.1f} |\n", case_name(r.c),
                       r.ratio("cg csr", "cg stencil"),
                       r.ratio("cg csr assembled prior", "cg stencil"),
                       r.ratio("admm csr", "admm stencil"), r.mb_csr / r.mb_stencil);
    fmt::print("\n| CG step, views most / fewest | stencil |\n|---|---|\n");
    for (const int scale : {4, 2})
        for (const int radius : {1, 2}) {
            std::vector<const Row*> same;
            for (const Row& r : rows)
                if (r.c.scale == scale && r.c.radius == radius) same.push_back(&r);
            if (same.size() < 2) continue;
            const Row& few = *same.front();
            const Row& many = *same.back();
            fmt::print("| ×{}, r {}: {} / {} | {:.2f} |\n", scale, radius, many.c.views(),
                       few.c.views(), many.ms.at("cg stencil") / few.ms.at("cg stencil"));
        }
}

void print_kernels(const std::vector<Row>& rows) {
    fmt::print(
        "\n| A x with CSR | plain loop | four sums | gathers | Eigen |\n|---|---|---|---|---|\n");
    for (const Row& r : rows)
        if (r.csr())
            fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", case_name(r.c),
                       r.ms.at("A x by plain loop"), r.ms.at("A x by four sums"),
                       r.ms.at("A x by gathers"), r.ms.at("A x by Eigen"));
}

}  // namespace

void compare(const Options& o) {
    std::vector<Row> rows;
    for (const int radius : {1, 2})
        for (const Case& c :
             {Case{4, 3}, Case{4, 5}, Case{4, 7}, Case{4, 9}, Case{2, 3}, Case{2, 5}, Case{2, 9}}) {
            Case here = c;
            here.radius = radius;
            here.size = o.size;
            fmt::print(stderr, "compare: {}\n", case_name(here));
            rows.push_back(measure(here, o));
        }
    fmt::print(
        "## Against assembled sparse matrices\n\nMilliseconds, {} × {} output, best of {} "
        "interleaved rounds.\n\n",
        o.size, o.size, o.rounds);
    print_times(rows);
    print_ratios(rows);
    print_kernels(rows);
}

}  // namespace plenosr::bench
