#pragma once

#include <string>
#include <vector>

namespace plenosr::bench {

struct Options {
    int threads = 0;         // 0: one per core
    int rounds = 7;          // the best one counts
    int max_csr_views = 25;  // the matrices of 81 views at scale 2 take more than 5 GB
    int size = 512;
    int grid = 0;  // strategies(): grid x grid views; 0: 3, 5, 7 and 9
    std::vector<std::string> strategies = {"buffer", "image", "local"};
};

// Each prints Markdown to standard output.
void print_machine(const Options& o);
void compare(const Options& o);     // against assembled sparse matrices
void profile(const Options& o);     // where the time of one ADMM iteration goes
void roofline(const Options& o);    // against what the machine can do
void precision(const Options& o);   // what 16-bit coefficients change
void reading(const Options& o);     // 81 views from their files, with one thread and with two
void strategies(const Options& o);  // OpenCL's memory strategies against the native engine

}  // namespace plenosr::bench
