// to <- from: as fast as the device's memory goes. What other kernels reach is compared with this.
kernel void copy(global const float4* from, global float4* to, int quads) {
    const int i = get_global_id(0);
    if (i < quads) to[i] = from[i];
}
