#include "light_field_flags.h"

#include <fmt/format.h>

namespace plenosr::app {

Flag add_view(Flags app, std::string& view, const std::string& values,
              const std::string& description) {
    return app.add_option("--view", view, description)
        .type_name(values)
        .default_str("the centre of the grid");
}

Flag add_views(Flags app, std::string& views, const std::string& around) {
    return app
        .add_option("--views", views,
                    fmt::format("views to use: NxN around {}, star17 (rows, columns and diagonals "
                                "up to two steps), cross5, all, or a list 'R,C;R,C;...'",
                                around))
        .type_name("3x3|5x5|7x7|9x9|star17|cross5|all|LIST")
        .default_str("all");
}

Flag add_disparity_from(Flags app, std::string& from) {
    return app
        .add_option("--disparity-from", from,
                    "source of the disparity map: lowres is the map beside the views, full the "
                    "full-size map that the record of `plenosr degrade` names, estimate computes "
                    "it from the views, auto is lowres if there is a map, otherwise estimate")
        .type_name("auto|lowres|full|estimate")
        .default_str("auto");
}

}  // namespace plenosr::app
