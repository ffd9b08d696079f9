#include <algorithm>

#include "plenosr/options.h"

namespace plenosr {
namespace {

// Chosen by reasoning, not tuned: one typing error in a short word, two in a word of 6 letters,
// three in longer ones.
int most_errors(std::size_t letters) {
    return std::clamp(int(letters) / 3, 1, 3);
}

constexpr std::size_t shortest_prefix = 3;  // letters that may stand for a longer word

// Insertions, deletions, replacements and swaps of neighbouring letters that turn a into b (optimal
// string alignment).
int edit_distance(const std::string& a, const std::string& b) {
    // d[i][j]: distance of the first i letters of a from the first j letters of b
    std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = int(i + j);
                continue;
            }
            const int replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

}  // namespace

std::string similar_word(const std::string& typed, const std::vector<std::string>& words) {
    std::string best;
    int least = most_errors(typed.size()) + 1;
    for (const std::string& word : words) {
        const bool begins = typed.size() >= shortest_prefix && word.starts_with(typed);
        const int distance = begins ? 1 : edit_distance(typed, word);
        if (distance < least) {
            least = distance;
            best = word;
        }
    }
    return best;
}

}  // namespace plenosr
