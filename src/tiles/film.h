#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "tiles/blend.h"

namespace plenosr {

// The images of some iterations (--keep-iterations), put together from those of the tiles. Its size
// is bounded: at most `most_pictures` are kept, and large ones are reduced by a whole factor, the
// mean over squares, so that all of them take `most_bytes` at most.
class Film {
public:
    static constexpr int most_pictures = 32;
    static constexpr std::size_t most_bytes = std::size_t(1) << 28U;

    // `every`: 0 keeps nothing. `steps`: iterations that the solver may do. `channels` of the
    // result, of which the solver's images may have fewer. The plan stays alive.
    Film(int every, int steps, int width, int height, int channels, const TilePlan& plan);

    // Called by one thread for each tile: its iterations in their order, then its last image.
    void keep(std::size_t tile, int iteration, const std::function<Image()>& image);
    void end(std::size_t tile, int iteration, const Image& image);

    // The whole pictures. With `reference`, their one channel is the brightness, and the colours
    // are those of the enlarged reference.
    std::vector<KeptIteration> pictures(const ImageView* reference, const SamplingGrid& sampling,
                                        Engine& engine);
    // What the user should know; empty: all that was asked for was kept at full size.
    std::string note() const;

    // Bytes that a film takes at most, while it is put together.
    static std::size_t bytes_for(const ReconstructOptions& options, int width, int height,
                                 int channels);

private:
    struct Part {
        int iteration = 0;
        Image image;  // weighted, reduced
    };
    Part weighted(std::size_t tile, int iteration, const Image& image) const;

    int every_;
    int asked_;
    int width_;
    int height_;
    int reduction_;
    const TilePlan& plan_;
    Blend blend_;
    std::vector<std::vector<Part>> parts_;  // of each tile; the last one is the end
};

}  // namespace plenosr
