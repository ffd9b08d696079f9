#include "io/name_pattern.h"

#include "io/support.h"

namespace plenosr::test {
namespace {

using io::NamePattern;

TEST(NamePattern, FieldsBecomeNumbers) {
    const auto found = NamePattern("out_{row}_{col}_{y}_{x}_").match("out_03_12_-7.5_+08.25_.png");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->row, 3);
    EXPECT_EQ(found->col, 12);
    EXPECT_EQ(found->y, -7.5);
    EXPECT_EQ(found->x, 8.25);
}

TEST(NamePattern, RoundTripOfNames) {
    for (const char* text : {"{row}_{col}", "a{col:4}b{row:2}.png", "{row:3}-{col}.tif"}) {
        const NamePattern pattern(text);
        const std::string extension = pattern.extension().empty() ? ".png" : pattern.extension();
        for (const int row : {0, 7, 42, 9999}) {
            const auto found = pattern.match(pattern.name_of(row, 13) + extension);
            ASSERT_TRUE(found) << text;
            EXPECT_EQ(found->row, row);
            EXPECT_EQ(found->col, 13);
        }
    }
    EXPECT_EQ(NamePattern("{row:3}_{col:2}").name_of(4, 5), "004_05");
}

TEST(NamePattern, NameFieldIsGreedy) {
    const auto found = NamePattern("{name}_{row}_{col}").match("a_1_2_3_4.png");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, "a_1_2");
    EXPECT_EQ(found->row, 3);
    EXPECT_FALSE(NamePattern("{name}_{row}_{col}").match("5_1_2.png"));
}

TEST(NamePattern, OtherNamesDoNotMatch) {
    const NamePattern pattern("v{row}_{col}.png");
    for (const char* name :
         {"", "v1_2", "v1_2.jpg", "v1_2.png.png", "v_2.png", "v1_.png", "v-1_2.png", "v1_10000.png",
          "v1_99999999999999999999.png", "w1_2.png"})
        EXPECT_FALSE(pattern.match(name)) << name;
    EXPECT_FALSE(NamePattern("{row}_{col}").match("1_2.txt"));
}

TEST(NamePattern, InvalidPatternsAreRefused) {
    for (const char* text :
         {"", "{row}", "{col}", "{row}{col}", "{row}_{row}_{col}", "{row}_{col", "row}_{col}",
          "{row}_{column}", "{row:0}_{col}", "{row:x}_{col}", "a/{row}_{col}", "../{row}_{col}",
          "{row:12}_{col}", "{row}_{col}5", "{row}0_{col}"}) {
        const auto message =
            refusal_of(ErrorKind::invalid_option, [&] { NamePattern pattern(text); });
        EXPECT_TRUE(mentions(message, "pattern")) << message;
    }
    refusal_of(ErrorKind::output, [] { NamePattern("{name}_{row}_{col}").name_of(1, 2); });
}

}  // namespace
}  // namespace plenosr::test
