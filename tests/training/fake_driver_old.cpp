// A libcuda.so.1 of a driver that is too old for CUDA 13.
extern "C" int cuInit(unsigned flags) { return (int)flags; }
extern "C" int cuDriverGetVersion(int* version) {
  *version = 12040;
  return 0;
}
extern "C" int cuDeviceGetCount(int* count) {
  *count = 1;
  return 0;
}
extern "C" int cuDeviceGetName(char* name, int size, int device) {
  name[0] = '\0';
  return size + device < 0;
}
