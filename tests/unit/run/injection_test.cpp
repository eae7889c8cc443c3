#include "repro/run/injection.h"

#include <catch2/catch_test_macros.hpp>

#include "repro/base/error.h"

namespace {

using namespace repro;

TEST_CASE("injections are read back as they are written") {
  for (const char* text :
       {"deterministic-1,12,backward,conv1.weight,5,ulp=1", "1,0,initialisation,adam.m/conv1.bias,0,bit=31",
        "0,1,batch,input,7,bits=7fc00001", "1,3,forward,conv1/aten::convolution#2,4,ulp=-1",
        "1,3,loss,loss,0,ulp=1", "1,3,buffer,input.mean,0,ulp=1", "1,3,update,aten::_fused_adam_,0,bit=3"}) {
    CAPTURE(text);
    CHECK(text_of(parse_injection(text, "--inject")) == text);
  }
  const Injection injection = parse_injection("1,12,backward,conv1.weight,ulp=1", "--inject");
  CHECK(injection.index == 0);
  CHECK(injection.step == 12);
  CHECK_FALSE(injection.targets_operation());
  CHECK(text_of(injection) != "1,12,backward,conv1.weight,0,ulp=2");
}

TEST_CASE("an operation is named with its layer and its number") {
  const OperationTarget all = parse_operation_target("conv1/aten::convolution#2", "test");
  CHECK(all.layer == "conv1");
  CHECK(all.operation == "aten::convolution");
  CHECK(all.occurrence == 2);
  const OperationTarget bare = parse_operation_target("aten::relu", "test");
  CHECK(bare.layer.empty());
  CHECK(bare.occurrence == 1);
}

TEST_CASE("malformed injections are refused, each with what is wrong") {
  const auto refusal = [](const char* text) {
    try {
      parse_injection(text, "--inject");
    } catch (const Error& error) {
      return error.kind() == ErrorKind::request ? error.message() : "another kind";
    }
    return std::string();
  };
  CHECK(refusal("1,2,backward,w,ulp=1").empty());
  CHECK(refusal("") == "--inject: expected five or six parts, found 1 in ''");
  CHECK(refusal("1,2,backward,w,0,ulp=1,x").starts_with("--inject: expected five or six parts, found 7"));
  CHECK(refusal("1,x,backward,w,ulp=1") == "--inject: the step must be a whole number from 0 on, found 'x'");
  CHECK(refusal("1,-1,backward,w,ulp=1").find("the step must be") != std::string::npos);
  CHECK(refusal("1,2,backwards,w,ulp=1") == "--inject: there is no phase 'backwards'");
  CHECK(refusal("1,2,backward,w,x,ulp=1").find("the index must be") != std::string::npos);
  CHECK(refusal("1,2,backward,,ulp=1") == "--inject: a part is empty");
  CHECK(refusal("1,2,validation,loss,ulp=1") == "--inject: nothing can be injected into the validation");
  CHECK(refusal("1,0,update,w,ulp=1").find("step 0 is the initialisation") != std::string::npos);
  CHECK(refusal("1,2,initialisation,w,ulp=1").find("step 0 is the initialisation") != std::string::npos);
  CHECK(refusal("1,2,batch,aten::relu,ulp=1").find("operations belong to") != std::string::npos);
  CHECK(refusal("1,2,forward,conv1.weight,ulp=1").find("name an operation") != std::string::npos);
  CHECK(refusal("1,2,forward,aten::relu#0,ulp=1").find("count from 1") != std::string::npos);
  CHECK(refusal("1,2,forward,aten::relu#x,ulp=1").find("must be a whole number") != std::string::npos);
}

}  // namespace
