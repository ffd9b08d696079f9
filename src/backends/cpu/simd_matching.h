#pragma once

#include <cstdint>

#include "disparity/matching.h"

namespace plenosr::cpu {

// Vector code of matching, dispatched at run time to the machine's widest instruction set.

// out[x] = sum_j wy[j] sum_i wx[i] rows[j][x + i],  x = 0 … n - 1;  scratch holds n + 3 floats
void shifted_row(const float* const rows[4], const float wy[4], const float wx[4], float* scratch,
                 float* out, int n);

// The halves of the views that an occluder may leave visible (MatchDesc).
struct Halves {
    const std::uint8_t* members =
        nullptr;                     // bits of the halves of row k; null: halves are not used
    const float* allowed = nullptr;  // per pixel: not 0 where a half may replace all views
    float share[match_halves] = {};  // factor of each half's sum
    float extra = 0;                 // added to the loss of a half
};

// out[x] = loss over rows[k][x], k = 0 … count - 1 (MatchLoss); exchanges of `count` values.
void absolute_loss_row(const float* const* rows, int count, const Exchanges& exchanges,
                       const Halves& halves, float tau, float* scratch, float* out, int n);
void squared_loss_row(const float* const* rows, int count, float tau, float* out, int n);
std::size_t loss_scratch(int count);  // floats

// One step of a path of semi-global matching from pixel p to q, over `labels` labels (a multiple
// of label_lanes):
//   to[l] = cost[l] + min(from[l], from[l +- 1] + p1, least + p2) - least,   sum[l] += to[l]
// and returns min_l to[l]. from[-1] and from[labels] are read and must be the largest number.
inline constexpr int label_lanes = 16;
std::uint16_t path_step(const std::uint16_t* from, std::uint16_t least, const std::uint16_t* cost,
                        std::uint16_t p1, std::uint16_t p2, std::uint16_t* to, std::uint16_t* sum,
                        int labels);

}  // namespace plenosr::cpu
