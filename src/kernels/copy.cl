// Copying and clearing memory. These are kernels because simulators that detect uninitialised
// values follow kernels better than OpenCL's own copies and fills.

// to <- from, at the device's memory bandwidth: the profile compares other kernels with this.
kernel void copy(global const float4* from, global float4* to, int quads) {
    const int i = get_global_id(0);
    if (i < quads) to[i] = from[i];
}

kernel void copy_part(global const float4* from, ulong from_quad, global float4* to, ulong to_quad,
                      int quads) {
    const int i = get_global_id(0);
    if (i < quads) to[to_quad + i] = from[from_quad + i];
}

kernel void fill_zero(global float4* to, int quads) {
    const int i = get_global_id(0);
    if (i < quads) to[i] = (float4)(0.0f);
}

#ifdef __IMAGE_SUPPORT__
kernel void copy_to_image(global const float* from, ulong offset, write_only image2d_t image,
                          int width, int height) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x < width && y < height)
        write_imagef(image, (int2)(x, y), (float4)(from[offset + y * width + x], 0.0f, 0.0f, 0.0f));
}

kernel void clear_image(write_only image2d_t image, int width, int height) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x < width && y < height) write_imagef(image, (int2)(x, y), (float4)(0.0f));
}
#endif
