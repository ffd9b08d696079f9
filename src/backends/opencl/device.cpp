#include "backends/opencl/device.h"

#include <fmt/format.h>

#include "plenosr/error.h"

namespace plenosr::opencl {

Memory::Memory(cl::Memory handle, std::size_t bytes, std::shared_ptr<MemoryCounter> counter)
    : handle_(std::move(handle)), bytes_(bytes), counter_(std::move(counter)) {
    counter_->add(bytes_);
}

Memory::~Memory() {
    if (counter_) counter_->remove(bytes_);
}

void Kernel::enqueue(const Grid& g) {
    const auto up = [](std::size_t n, std::size_t group) {
        return (n + group - 1) / group * group;
    };
    const cl::NDRange global(up(g.width, g.group_width), up(g.height, g.group_height), g.depth);
    const cl::NDRange local(g.group_width, g.group_height, 1);
    device_->queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, global, local);
}

Device::Device(cl::Device device, Tuning tuning)
    : device_(std::move(device)), tuning_(tuning), context_(device_), queue_(context_, device_) {}

Memory Device::new_buffer(std::size_t bytes) {
    const std::size_t size = std::max<std::size_t>(bytes, 16);
    Memory memory(cl::Buffer(context_, CL_MEM_READ_WRITE, size), size, counter_);
    fill_zero(memory);
    return memory;
}

void Device::fill_zero(Memory& buffer) {
    const cl_uchar zero = 0;
    const cl_int error = clEnqueueFillBuffer(queue_(), buffer.handle(), &zero, 1, 0, buffer.bytes(),
                                             0, nullptr, nullptr);
    if (error != CL_SUCCESS) throw cl::Error(error, "clEnqueueFillBuffer");
}

Memory Device::new_image(int width, int height) {
    const cl::Image2D image(context_, CL_MEM_READ_WRITE, cl::ImageFormat(CL_R, CL_FLOAT),
                            std::size_t(width), std::size_t(height));
    queue_.enqueueFillImage(image, cl_float4{{0, 0, 0, 0}}, {0, 0, 0},
                            {std::size_t(width), std::size_t(height), 1});
    return {image, std::size_t(width) * std::size_t(height) * sizeof(float), counter_};
}

Memory Device::new_constants(const void* values, std::size_t bytes) {
    Memory memory = new_buffer(bytes);
    write(memory, values, bytes);
    return memory;
}

const cl::Program& Device::program(const std::string& file, const std::string& defines) {
    std::string options = fmt::format("-cl-std=CL1.2 -DVECTOR={} -DGROUP={} -DGROUPS={} {}",
                                      tuning_.vector, tuning_.group, tuning_.groups, defines);
    if (tuning_.strategy == Strategy::image) options += " -DSTRATEGY_IMAGE";
    if (tuning_.strategy == Strategy::local) options += " -DSTRATEGY_LOCAL";
    const auto [it, is_new] = programs_.try_emplace(file + " " + options);
    if (!is_new) return it->second;
    const std::string source = fmt::format(
        "#line 1 \"pixel.h\"\n{}\n#line 1 \"access.h\"\n{}\n#line 1 \"{}.cl\"\n{}",
        kernel_source("pixel.h"), kernel_source("access.h"), file, kernel_source(file + ".cl"));
    it->second = cl::Program(context_, source);
    try {
        it->second.build({device_}, options.c_str());
    } catch (const cl::Error&) {
        const auto log = it->second.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_);
        programs_.erase(it);
        throw Error(ErrorKind::device,
                    fmt::format("the kernels of {}.cl do not compile on {} with {}:\n{}", file,
                                name(), options, log));
    }
    return it->second;
}

Kernel Device::kernel(const std::string& file, const std::string& name,
                      const std::string& defines) {
    return {*this, cl::Kernel(program(file, defines), name.c_str()), name};
}

void Device::write(Memory& to, const void* values, std::size_t bytes, std::size_t offset) {
    if (bytes == 0) return;
    const cl_int error = clEnqueueWriteBuffer(queue_(), to.handle(), CL_TRUE, offset, bytes, values,
                                              0, nullptr, nullptr);
    if (error != CL_SUCCESS) throw cl::Error(error, "clEnqueueWriteBuffer");
}

void Device::read(const Memory& from, void* values, std::size_t bytes, std::size_t offset) {
    if (bytes == 0) return;
    const cl_int error = clEnqueueReadBuffer(queue_(), from.handle(), CL_TRUE, offset, bytes,
                                             values, 0, nullptr, nullptr);
    if (error != CL_SUCCESS) throw cl::Error(error, "clEnqueueReadBuffer");
}

namespace {

struct Rows {
    std::size_t device_origin[3];
    std::size_t host_origin[3] = {0, 0, 0};
    std::size_t region[3];
    std::size_t device_pitch;
    std::size_t host_pitch;
    Rows(int width, int height, int stride, std::size_t offset)
        : device_origin{offset % std::size_t(stride) * sizeof(float), offset / std::size_t(stride),
                        0},
          region{std::size_t(width) * sizeof(float), std::size_t(height), 1},
          device_pitch(std::size_t(stride) * sizeof(float)),
          host_pitch(std::size_t(width) * sizeof(float)) {}
};

}  // namespace

void Device::write_rows(Memory& to, const float* values, int width, int height, int stride,
                        std::size_t offset) {
    const Rows r(width, height, stride, offset);
    const cl_int error = clEnqueueWriteBufferRect(queue_(), to.handle(), CL_TRUE, r.device_origin,
                                                  r.host_origin, r.region, r.device_pitch, 0,
                                                  r.host_pitch, 0, values, 0, nullptr, nullptr);
    if (error != CL_SUCCESS) throw cl::Error(error, "clEnqueueWriteBufferRect");
}

void Device::read_rows(const Memory& from, float* values, int width, int height, int stride,
                       std::size_t offset) {
    const Rows r(width, height, stride, offset);
    const cl_int error = clEnqueueReadBufferRect(queue_(), from.handle(), CL_TRUE, r.device_origin,
                                                 r.host_origin, r.region, r.device_pitch, 0,
                                                 r.host_pitch, 0, values, 0, nullptr, nullptr);
    if (error != CL_SUCCESS) throw cl::Error(error, "clEnqueueReadBufferRect");
}

void Device::copy(const Memory& from, Memory& to, std::size_t bytes) {
    const cl_int error =
        clEnqueueCopyBuffer(queue_(), from.handle(), to.handle(), 0, 0, bytes, 0, nullptr, nullptr);
    if (error != CL_SUCCESS) throw cl::Error(error, "clEnqueueCopyBuffer");
}

void Device::copy_within(Memory& memory, std::size_t from, std::size_t to, std::size_t bytes) {
    const cl_int error = clEnqueueCopyBuffer(queue_(), memory.handle(), memory.handle(), from, to,
                                             bytes, 0, nullptr, nullptr);
    if (error != CL_SUCCESS) throw cl::Error(error, "clEnqueueCopyBuffer");
}

void Device::copy_to_image(const Memory& buffer, std::size_t offset, Memory& image, int width,
                           int height) {
    const std::size_t origin[3] = {0, 0, 0};
    const std::size_t region[3] = {std::size_t(width), std::size_t(height), 1};
    const cl_int error =
        clEnqueueCopyBufferToImage(queue_(), buffer.handle(), image.handle(),
                                   offset * sizeof(float), origin, region, 0, nullptr, nullptr);
    if (error != CL_SUCCESS) throw cl::Error(error, "clEnqueueCopyBufferToImage");
}

}  // namespace plenosr::opencl
