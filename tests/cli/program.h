#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "plenosr/degrade.h"
#include "plenosr/disparity.h"
#include "plenosr/io.h"
#include "plenosr/synth.h"

namespace plenosr::test {

namespace fs = std::filesystem;

inline std::string take(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline void put(const fs::path& file, const std::string& bytes) {
    std::ofstream stream(file, std::ios::binary);
    stream.write(bytes.data(), std::streamsize(bytes.size()));
    ASSERT_TRUE(stream.good()) << file;
}

// How a program ended, and what it printed.
struct Ended {
    int code = -1;  // -1: by a signal
    double seconds_after_signal = 0;
    std::string out;
    std::string err;

    std::vector<std::string> err_lines() const {
        std::vector<std::string> lines;
        std::istringstream stream(err);
        for (std::string line; std::getline(stream, line);)
            // The runtime of a coverage build reports by itself that files cannot be written.
            if (!line.starts_with("libgcov profiling error:")) lines.push_back(line);
        return lines;
    }
};

struct RunOptions {
    std::function<void()> in_child;  // after the fork, before the program starts
    // Sent as soon as `signal_if` returns true or, if that is not set, standard error contains
    // `signal_when`.
    int signal = 0;
    std::string signal_when;
    std::function<bool()> signal_if = {};
    int signals = 1;  // how many times it is sent
};

inline Ended run_command(const std::vector<std::string>& command, const fs::path& scratch,
                         const RunOptions& options = {}) {
    const fs::path out = scratch / "stdout";
    const fs::path err = scratch / "stderr";
    std::vector<char*> argv;
    for (const std::string& word : command)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    put(out, "");
    put(err, "");
    const pid_t child = fork();
    if (child == 0) {
        const int out_file = open(out.c_str(), O_WRONLY | O_APPEND);
        const int err_file = open(err.c_str(), O_WRONLY | O_APPEND);
        dup2(out_file, STDOUT_FILENO);
        dup2(err_file, STDERR_FILENO);
        if (options.in_child) options.in_child();
        execv(argv[0], argv.data());
        _exit(127);
    }
    if (options.signal != 0) {
        constexpr int most_polls = 6000;
        const auto is_due = [&] {
            return options.signal_if ? options.signal_if()
                                     : take(err).find(options.signal_when) != std::string::npos;
        };
        for (int i = 0; i < most_polls && !is_due(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        for (int i = 0; i < options.signals; ++i) {
            // Two signals that are pending at the same time count as one.
            if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
            kill(child, options.signal);
        }
    }
    using Clock = std::chrono::steady_clock;
    const auto signalled = Clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(Clock::now() - signalled).count();
    };
    constexpr double longest_seconds = 30;  // to survive a signal
    int status = 0;
    if (options.signal == 0) {
        waitpid(child, &status, 0);
    } else {
        while (waitpid(child, &status, WNOHANG) == 0) {
            if (seconds() > longest_seconds) kill(child, SIGKILL);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, seconds(), take(out), take(err)};
}

// Gives each test a folder with a small scene `hr` and its degraded version `lr`.
class Program : public ::testing::Test {
protected:
    static constexpr int size = 48;  // of a full-size view; the scale is 2

    Program() {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        const fs::path own =
            fs::temp_directory_path() / ("plenosr-cli-" + std::to_string(getpid()) + "-" +
                                         test->test_suite_name() + "-" + test->name());
        fs::remove_all(own);
        fs::create_directories(own / "scratch");
        fs::create_directories(own / "work");
        root_ = fs::canonical(own);
        make_scene();
    }
    ~Program() override {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }

    fs::path at(const std::string& name) const { return root_ / "work" / name; }
    std::string name(const std::string& file) const { return at(file).string(); }

    Ended run(std::vector<std::string> words, const RunOptions& options = {}) const {
        words.insert(words.begin(), PLENOSR_PROGRAM);
        return run_command(words, root_ / "scratch", options);
    }
    Ended command(const std::vector<std::string>& words, const RunOptions& options = {}) const {
        return run_command(words, root_ / "scratch", options);
    }
    // plenosr reconstruct lr -o out.png --quiet, and more
    Ended reconstruct_lr(const std::vector<std::string>& more) const {
        std::vector<std::string> words = {"reconstruct", name("lr"), "--quiet"};
        if (std::find(more.begin(), more.end(), "-o") == more.end())
            words.insert(words.end(), {"-o", name("out.png")});
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }

    // True from `seconds` after the first call on: for RunOptions::signal_if.
    static std::function<bool()> after(double seconds) {
        using Clock = std::chrono::steady_clock;
        return [seconds, first = Clock::time_point()]() mutable {
            if (first == Clock::time_point()) first = Clock::now();
            return std::chrono::duration<double>(Clock::now() - first).count() >= seconds;
        };
    }

    // Every file of a folder, or the file, with its bytes.
    std::map<std::string, std::string> content(const std::string& name) const {
        std::map<std::string, std::string> files;
        if (!fs::is_directory(at(name))) return {{"", take(at(name))}};
        for (const auto& entry : fs::directory_iterator(at(name)))
            files[entry.path().filename().string()] = take(entry.path());
        return files;
    }

    // All names below the working folder, which a failed run must leave unchanged.
    std::vector<std::string> everything() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(root_ / "work"))
            names.push_back(entry.path().string());
        std::sort(names.begin(), names.end());
        return names;
    }

    // One sentence that mentions `about`, this exit code, and nothing written.
    void expect_refused(int code, const std::string& about, const std::function<Ended()>& job) {
        const auto before = everything();
        const Ended ended = job();
        EXPECT_EQ(ended.code, code) << ended.err;
        ASSERT_EQ(ended.err_lines().size(), 1U) << ended.err;
        EXPECT_TRUE(ended.err.starts_with("plenosr: ")) << ended.err;
        EXPECT_NE(ended.err.find(about), std::string::npos) << ended.err;
        EXPECT_EQ(ended.out, "");
        EXPECT_EQ(everything(), before);
    }

private:
    void make_scene() const {
        SynthOptions options;
        options.rows = options.cols = 3;
        options.width = options.height = size;
        options.supersampling = 2;
        SynthResult scene = synthesise(options);
        WriteLightField layout;
        layout.view_disparity = scene.disparity;
        write_light_field(at("hr"), scene.light_field, layout);
        DegradeOptions noise;
        noise.gaussian = 2;
        for (Image& map : layout.view_disparity)
            map = reduce_disparity(map, noise.scale);
        layout.degradation = DegradationRecord{noise, at("hr"), at("hr") / "gt_disp_lowres.pfm"};
        write_light_field(at("lr"), degrade(scene.light_field, noise), layout);
    }

    fs::path root_;
};

}  // namespace plenosr::test
