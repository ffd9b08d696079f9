#include "io/parameters_cfg.h"

#include "io/support.h"

namespace plenosr::test {
namespace {

io::Parameters parsed(const std::string& text) {
    return io::parse_parameters("p.cfg", text);
}

TEST(ParametersCfg, SectionsPrefixTheirKeys) {
    const io::Parameters expected = {{"alone", "1"},
                                     {"intrinsics.fstop", "100.0"},
                                     {"meta.scene", "a = b: c"},
                                     {"meta.empty", ""}};
    EXPECT_EQ(parsed("alone=1\n# comment\n; another\n[intrinsics]\nfstop = 100.0\n\n"
                     "[ meta ]\nscene: a = b: c\nempty =\n"),
              expected);
}

TEST(ParametersCfg, LineEndsAndByteOrderMarkDoNotMatter) {
    const io::Parameters expected = {{"a.b", "c"}, {"a.d", "e"}};
    EXPECT_EQ(parsed("\xef\xbb\xbf[a]\r\nb = c\r\nd = e"), expected);
}

TEST(ParametersCfg, IndentedLinesContinueAValue) {
    EXPECT_EQ(parsed("[a]\nb = one\n  two\n\tthree\n\n  c = 2\n"),
              (io::Parameters{{"a.b", "one\ntwo\nthree"}, {"a.c", "2"}}));
}

TEST(ParametersCfg, InvalidLinesAreRefusedWithTheirNumber) {
    using namespace std::string_literals;
    for (const std::string& text :
         {"[a]\nnonsense\n"s, "[a]\n= 3\n"s, "[a]\n[b\n"s, "[a]\n[]\n"s, "[a]\nb\0c = 1\n"s,
          "[a]\n\x7f"s, "[a]\n["s, "\n\x89PNG\x1a\n"s}) {
        const auto message = refusal_of(ErrorKind::input, [&] { parsed(text); });
        EXPECT_TRUE(mentions(message, "p.cfg") && mentions(message, "line 2")) << message;
    }
}

TEST(ParametersCfg, EmptyTextIsValid) {
    EXPECT_TRUE(parsed("").empty());
    EXPECT_TRUE(parsed("\n\n[empty]\n").empty());
}

TEST(ParametersCfg, RoundTrip) {
    const io::Parameters parameters = {{"alone", "1"},
                                       {"zeta.key", "x"},
                                       {"a.b", "one\ntwo\nthree"},
                                       {"a.c.d", "[not a section]"},
                                       {"a.e", ""}};
    EXPECT_EQ(parsed(io::format_parameters("p.cfg", parameters)), parameters);
}

TEST(ParametersCfg, RefusesToWriteWhatAnIniFileCannotHold) {
    for (const io::Parameters& parameters :
         {io::Parameters{{"a.b=c", "1"}}, io::Parameters{{"a.#b", "1"}},
          io::Parameters{{"a.", "1"}}, io::Parameters{{"a.b", " padded "}},
          io::Parameters{{"a.b", "x\n\ny"}}, io::Parameters{{"a.b\nc", "1"}},
          io::Parameters{{"", "1"}}}) {
        refusal_of(ErrorKind::output, [&] { io::format_parameters("p.cfg", parameters); });
    }
}

}  // namespace
}  // namespace plenosr::test
