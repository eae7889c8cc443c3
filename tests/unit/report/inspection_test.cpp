#include "repro/report/inspection.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "repro/tensor/tensor.h"

namespace {

using namespace repro;

// A tensor, a tied one, one that cannot be read, and a leaf.
struct Sample {
  Tensor tensor{DType::float32, {2, 1}};
  std::vector<Item> items;
  Inspection inspection;

  explicit Sample(const std::string& name = "w") {
    tensor.values<float>()[1] = -0.0F;
    items.push_back({name, tensor.view()});
    items.push_back({"tied", tensor.view()});
    items.back().alias_of = name;
    items.push_back({"odd", TensorView{DType::uint8, {3}, {}}, Role::none, "it is odd", "F4"});
    items.push_back({"step", StoredTensor()});
    items.back().leaf = Leaf{"str", name};
    inspection.file = name;
    inspection.format = "pytorch";
    inspection.metadata = {{name, name}};
    for (const Item& item : items) inspection.items.push_back(inspect(item, true, 1));
  }
};

std::string values_text(const InspectedItem& item, std::uint64_t limit) {
  std::string out;
  render_values_text(item, limit, [&](std::string_view text) { out += text; });
  return out;
}

TEST_CASE("an inspection shows tensors, ties, what cannot be read, leaves and totals") {
  const Sample sample;
  const std::string text = render_inspection_text(sample.inspection, {});
  CHECK(text.find("not readable: it is odd") != std::string::npos);
  CHECK(text.find("tied to") != std::string::npos);
  CHECK(text.ends_with("pytorch: 3 tensors, 2 values, 8 bytes, 1 leaf, 1 not readable\n"));
  const auto json = nlohmann::json::parse(render_inspection_json(sample.inspection));
  CHECK(json["tensors"].size() == 3);
  CHECK(json["tensors"][1]["alias_of"] == "w");
  CHECK(json["tensors"][2]["reason"] == "it is odd");
  CHECK(json["tensors"][2]["fingerprint"].is_null());
  CHECK(json["leaves"][0]["value"] == "w");
  CHECK(values_text(sample.inspection.items[0], 10).find("[1, 0]  -0  80000000\n") != std::string::npos);
  CHECK(values_text(sample.inspection.items[0], 1).find("1 more") != std::string::npos);
  CHECK(values_text(sample.inspection.items[3], 1) == "w\n");
}

TEST_CASE("hostile names cannot break an inspection") {
  const std::string hostile = "a\x1b[31m\n\t\xE2\x80\xAE\xFF\"<b>";
  const Sample sample(hostile);
  for (const std::string& out :
       {render_inspection_text(sample.inspection, {}), render_inspection_lines(sample.inspection),
        values_text(sample.inspection.items[0], 5), values_text(sample.inspection.items[3], 5)}) {
    CHECK(out.find('\x1b') == std::string::npos);
    CHECK(out.find("\xE2\x80\xAE") == std::string::npos);
    CHECK(out.find('\xFF') == std::string::npos);
  }
  // Four entries, four lines of three or four fields.
  const std::string lines = render_inspection_lines(sample.inspection);
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 4);
  CHECK(std::count(lines.begin(), lines.end(), '\t') == 3 + 3 + 3 + 2);
  CHECK(nlohmann::json::parse(render_inspection_json(sample.inspection))["tensors"].size() == 3);
  std::string values;
  render_values_json(sample.inspection, sample.inspection.items[0], 5,
                     [&](std::string_view text) { values += text; });
  CHECK(nlohmann::json::parse(values)["values"].size() == 2);
}

}  // namespace
