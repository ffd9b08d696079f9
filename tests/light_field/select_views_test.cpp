#include <gtest/gtest.h>

#include <cmath>

#include "cases/refusal.h"
#include "light_field/positions.h"
#include "plenosr/light_field.h"

namespace plenosr {
namespace {

std::vector<ViewPosition> grid(int rows, int cols, double first = 0) {
    std::vector<ViewPosition> positions;
    for (int row = 0; row < rows; ++row) {
        for (int col = 0; col < cols; ++col)
            positions.push_back({first + row, first + col});
    }
    return positions;
}

std::string expect_refused(const std::string& selection, ErrorKind kind,
                           const std::vector<ViewPosition>& available = grid(9, 9)) {
    SCOPED_TRACE(selection);
    return test::refusal_of(kind, [&] { select_views(selection, {4, 4}, available); });
}

TEST(SelectViews, AllSelectsTheAvailableViews) {
    EXPECT_EQ(select_views("all", {4, 4}, grid(9, 9)), grid(9, 9));
}

TEST(SelectViews, SquaresAreCentredOnTheReference) {
    for (const int n : {1, 3, 5, 7, 9}) {
        const auto text = std::to_string(n) + "x" + std::to_string(n);
        const auto selected = select_views(text, {4, 4}, grid(9, 9));
        EXPECT_EQ(selected.size(), std::size_t(n * n));
        for (const ViewPosition& view : selected) {
            EXPECT_LE(std::abs(view.row - 4), n / 2);
            EXPECT_LE(std::abs(view.col - 4), n / 2);
        }
    }
    EXPECT_EQ(select_views("3x3", {6, 6}, grid(5, 5, 5)), grid(3, 3, 5));
}

TEST(SelectViews, SquaresSkipMissingViews) {
    EXPECT_EQ(select_views("3x3", {0, 0}, grid(9, 9)).size(), 4U);
    EXPECT_EQ(select_views("99x99", {4, 4}, grid(9, 9)).size(), 81U);
}

TEST(SelectViews, CrossIsTheReferenceAndItsFourNeighbours) {
    const auto selected = select_views("cross5", {4, 4}, grid(9, 9));
    ASSERT_EQ(selected.size(), 5U);
    for (const ViewPosition view : {ViewPosition{4, 4}, {3, 4}, {5, 4}, {4, 3}, {4, 5}}) {
        EXPECT_TRUE(contains(selected, view));
    }
}

TEST(SelectViews, StarIsRowsColumnsAndDiagonalsOfTheFiveByFive) {
    const auto selected = select_views("star17", {4, 4}, grid(9, 9));
    ASSERT_EQ(selected.size(), 17U);
    for (const int step : {-2, -1, 0, 1, 2}) {
        EXPECT_TRUE(contains(selected, {4.0 + step, 4}));
        EXPECT_TRUE(contains(selected, {4, 4.0 + step}));
        EXPECT_TRUE(contains(selected, {4.0 + step, 4.0 + step}));
        EXPECT_TRUE(contains(selected, {4.0 + step, 4.0 - step}));
    }
}

TEST(SelectViews, MissingReferenceStillSelectsTheOthers) {
    auto available = grid(9, 9);
    std::erase(available, ViewPosition{4, 4});
    EXPECT_EQ(select_views("cross5", {4, 4}, available).size(), 4U);
    EXPECT_EQ(select_views("star17", {4, 4}, available).size(), 16U);
    EXPECT_EQ(select_views("3x3", {4, 4}, available).size(), 8U);
}

TEST(SelectViews, ListKeepsItsOrder) {
    const std::vector<ViewPosition> expected = {{4, 4}, {0, 8}, {3, 3}};
    EXPECT_EQ(select_views("4,4;0,8;3,3", {4, 4}, grid(9, 9)), expected);
    EXPECT_EQ(select_views(" 4, 4 ; 0,8;3,3", {4, 4}, grid(9, 9)), expected);
}

TEST(SelectViews, ListMayNameRealPositions) {
    const std::vector<ViewPosition> rig = {{0, 0}, {0.5, 1.25}};
    EXPECT_EQ(select_views("0.5,1.25", {0, 0}, rig).size(), 1U);
}

TEST(SelectViews, NamingAMissingViewIsAnInputError) {
    expect_refused("4,4;20,20", ErrorKind::input);
}

TEST(SelectViews, EmptySelectionIsAnInputError) {
    expect_refused("3x3", ErrorKind::input, grid(2, 2));
    expect_refused("all", ErrorKind::input, {});
}

TEST(SelectViews, UnknownTextIsAnInvalidOption) {
    for (const char* text :
         {"", "every", "4x4", "0x0", "-3x-3", "3x5", "3x3x3", "x", "99999999999x99999999999",
          "cross9", "ALL", "4,4;", ";4,4", "4,4;4,4", "4,4;b", "3 x 3"}) {
        expect_refused(text, ErrorKind::invalid_option);
    }
}

TEST(SelectViews, RefusalNamesTheAllowedForms) {
    const std::string message = expect_refused("every", ErrorKind::invalid_option);
    for (const char* word : {"every", "all", "NxN", "cross5", "star17", "R,C"})
        EXPECT_TRUE(test::mentions(message, word)) << message;
}

}  // namespace
}  // namespace plenosr
