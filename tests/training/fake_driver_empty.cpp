// A libcuda.so.1 of a good driver that sees no GPU (CUDA_ERROR_NO_DEVICE).
extern "C" int cuInit(unsigned flags) {
  (void)flags;
  return 100;
}
extern "C" int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}
extern "C" int cuDeviceGetCount(int* count) {
  *count = 0;
  return 0;
}
extern "C" int cuDeviceGetName(char* name, int size, int device) {
  name[0] = '\0';
  return size + device < 0;
}
