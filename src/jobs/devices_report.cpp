#include "jobs/json.h"
#include "plenosr/version.h"

namespace plenosr {
namespace {

Json json_of(const DeviceDescription& d) {
    Json json;
    json["id"] = d.id;
    json["type"] = to_string(d.type);
    json["name"] = d.name;
    json["vendor"] = d.vendor;
    json["platform"] = d.platform;
    json["platform_version"] = d.platform_version;
    json["driver"] = d.driver;
    json["version"] = d.version;
    json["compute_units"] = d.compute_units;
    json["clock_mhz"] = d.clock_mhz;
    json["global_memory"] = d.global_memory;
    json["largest_allocation"] = d.largest_allocation;
    json["local_memory"] = d.local_memory;
    json["work_group_limit"] = d.work_group_limit;
    json["images"] = d.images;
    json["float_images"] = d.float_images;
    json["image_width"] = d.image_width;
    json["image_height"] = d.image_height;
    json["fp64"] = d.fp64;
    json["half"] = d.half;
    json["vector_width"] = d.vector_width;
    json["available"] = d.available;
    json["strategy"] = d.strategy;
    json["strategy_reason"] = d.strategy_reason;
    return json;
}

}  // namespace

std::string json_report(const std::vector<DeviceDescription>& devices) {
    Json json;
    json["opencl"] = opencl_is_installed();
    json["devices"] = Json::array();
    for (const DeviceDescription& device : devices)
        json["devices"].push_back(json_of(device));
    json["version"] = PLENOSR_VERSION;
    return text_of(json);
}

}  // namespace plenosr
