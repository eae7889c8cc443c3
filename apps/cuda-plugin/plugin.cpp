// librepro_cuda.so: loading it brings in libtorch_cuda, whose kernels and hooks register themselves with
// LibTorch. The symbol gives the loader something to ask for.
extern "C" int repro_cuda_plugin_protocol() { return 1; }
