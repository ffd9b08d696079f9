// The denoisers on a device agree with the native ones up to rounding.
#include "backends/opencl/denoise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "cases/random_values.h"
#include "cases/scenes.h"
#include "denoise/denoise.h"
#include "opencl/on_device.h"

namespace plenosr {
namespace {

std::vector<float> denoised_on(opencl::Device& device, Denoiser kind,
                               const std::vector<float>& image, int width, int height,
                               double sigma) {
    const opencl::PlaneShape shape{width, height};
    opencl::Memory x = device.new_buffer(shape.size() * sizeof(float));
    opencl::Memory v = device.new_buffer(shape.size() * sizeof(float));
    device.write_rows(x, image.data(), width, height, shape.stride());
    opencl::DeviceDenoiser denoiser(device, kind, shape);
    denoiser(x, 1, sigma, v);
    std::vector<float> result(image.size());
    device.read_rows(v, result.data(), width, height, shape.stride());
    return result;
}

class DeviceDenoisers : public testing::TestWithParam<test::Variant> {
protected:
    opencl::Device& device = test::device(GetParam());

    std::vector<float> denoised(Denoiser kind, const std::vector<float>& image, int width,
                                int height, double sigma) {
        const opencl::PlaneShape shape{width, height};
        const int planes = int(image.size()) / (width * height);
        const std::size_t bytes = std::size_t(planes) * shape.size() * sizeof(float);
        opencl::Memory x = device.new_buffer(bytes);
        opencl::Memory v = device.new_buffer(bytes);
        device.write_rows(x, image.data(), width, planes * height, shape.stride());
        const std::size_t before = device.memory().live;
        opencl::DeviceDenoiser denoiser(device, kind, shape);
        EXPECT_LE(device.memory().live - before, opencl::DeviceDenoiser::memory(shape).bytes);
        denoiser(x, planes, sigma, v);
        std::vector<float> result(image.size());
        device.read_rows(v, result.data(), width, planes * height, shape.stride());
        // Planes have zeros after the last column.
        std::vector<float> rows(std::size_t(planes) * shape.size());
        device.read(v, rows.data(), bytes);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const bool after = int(i) % shape.stride() >= width;
            EXPECT_TRUE(!after || rows[i] == 0.0F) << i;
        }
        return result;
    }

    void expect_native(Denoiser kind, const std::vector<float>& image, int width, int height,
                       double sigma, double share) {
        std::vector<float> expected = image;
        denoise(kind, expected, width, height, sigma);
        const std::vector<float> found = denoised(kind, image, width, height, sigma);
        std::size_t near = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_NEAR(found[i], expected[i], 3.0) << i;
            near += std::abs(found[i] - expected[i]) < 0.02F ? 1 : 0;
        }
        EXPECT_GE(double(near), share * double(found.size()))
            << width << " x " << height << ", sigma " << sigma;
    }
};

TEST_P(DeviceDenoisers, GiveTheNativeResult) {
    auto scene = test::degraded_scene({"curved", 1, 75, 62});
    test::RandomValues random(3);
    for (float& value : scene.truth.values)
        value += random.next(-20.0F, 20.0F);
    for (const double sigma : {2.0, 12.0, 40.0}) {
        expect_native(Denoiser::bm3d, scene.truth.values, 75, 62, sigma, 0.95);
        expect_native(Denoiser::nlm, scene.truth.values, 75, 62, sigma, 1.0);
    }
}

TEST_P(DeviceDenoisers, WorkForAnySizeAndSeveralPlanes) {
    test::RandomValues random(4);
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 5}, {7, 40}, {41, 9}, {33, 34}}) {
        const auto image = random.vector(std::size_t(width * height) * 2, 60.0F, 180.0F);
        for (const Denoiser kind : {Denoiser::bm3d, Denoiser::nlm})
            expect_native(kind, image, width, height, 30, 0.95);
    }
}

TEST_P(DeviceDenoisers, KeepAPictureWithoutNoiseAndGiveTheSameBitsTwice) {
    test::RandomValues random(5);
    const auto image = random.vector(40 * 40, 0.0F, 255.0F);
    for (const Denoiser kind : {Denoiser::bm3d, Denoiser::nlm}) {
        EXPECT_EQ(denoised(kind, image, 40, 40, 0), image);
        EXPECT_EQ(denoised(kind, image, 40, 40, 20), denoised(kind, image, 40, 40, 20));
    }
}

TEST(DenoisersOnDevices, GiveTheSameBitsWithAllDevicesAtWork) {
    constexpr int width = 80;
    constexpr int height = 60;
    constexpr int repeats = 4;
    test::RandomValues random(6);
    auto image = test::degraded_scene({"curved", 1, width, height}).truth.values;
    for (float& value : image)
        value += random.next(-20.0F, 20.0F);
    const auto listed = opencl::listed_devices();
    std::vector<std::vector<float>> results(listed.size() * std::size_t(repeats));
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < listed.size(); ++k)
        threads.emplace_back([&, k] {
            opencl::Device device(listed[k].handle, opencl::default_tuning(listed[k].description));
            for (int n = 0; n < repeats; ++n)
                results[k * std::size_t(repeats) + std::size_t(n)] =
                    denoised_on(device, Denoiser::bm3d, image, width, height, 12);
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const std::vector<float>& result : results)
        EXPECT_EQ(result, results.front());
}

INSTANTIATE_TEST_SUITE_P(Variants, DeviceDenoisers,
                         testing::Values(test::Variant{opencl::Strategy::buffer, 8},
                                         test::Variant{opencl::Strategy::local, 1}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace plenosr
