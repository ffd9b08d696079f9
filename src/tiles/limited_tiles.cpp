#include "tiles/limited_tiles.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/process_memory.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

constexpr int smallest_core = 32;  // pixels a side; below it the margins are most of a part

std::vector<Tile> cut(const LimitedJob& job, int across, int down) {
    std::vector<Tile> tiles;
    const auto at = [&](int i, int parts, int size) {
        if (i == parts) return size;
        return int(std::int64_t(size) * i / parts) / job.alignment * job.alignment;
    };
    const int margin = (job.margin + job.alignment - 1) / job.alignment * job.alignment;
    for (int j = 0; j < down; ++j)
        for (int i = 0; i < across; ++i) {
            const int x0 = at(i, across, job.width);
            const int y0 = at(j, down, job.height);
            const int x1 = at(i + 1, across, job.width);
            const int y1 = at(j + 1, down, job.height);
            const int left = std::max(0, x0 - margin);
            const int top = std::max(0, y0 - margin);
            tiles.push_back({{left, top, std::min(job.width, x1 + margin) - left,
                              std::min(job.height, y1 + margin) - top},
                             {x0, y0, x1 - x0, y1 - y0}});
        }
    return tiles;
}

}  // namespace

std::vector<Tile> limited_tiles(const LimitedJob& job, std::size_t limit, std::size_t held) {
    const std::size_t bound = limit > 0 ? limit : memory_for_work(held);
    int across = 1;
    int down = 1;
    while (true) {
        std::vector<Tile> tiles = cut(job, across, down);
        std::size_t most = 0;
        for (const Tile& tile : tiles)
            most = std::max(most, job.bytes(tile.box));
        if (most <= bound) return tiles;
        const int w = job.width / across;
        const int h = job.height / down;
        if (std::max(w, h) < 2 * std::max(smallest_core, job.alignment)) {
            if (limit > 0)
                throw Error(ErrorKind::invalid_option,
                            fmt::format("memory-limit = {} must be at least {} bytes for {}", limit,
                                        most, job.what));
            throw Error(ErrorKind::memory,
                        fmt::format("there is not enough memory for {}: even the smallest parts "
                                    "need {} bytes, {}; use fewer views or smaller ones",
                                    job.what, most, memory_words(held)));
        }
        ++(w >= h ? across : down);
    }
}

}  // namespace plenosr
