// A libcuda.so.1 that claims a GPU, which nothing can really use.
extern "C" int cuInit(unsigned flags) { return static_cast<int>(flags); }
extern "C" int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}
extern "C" int cuDeviceGetCount(int* count) {
  *count = 1;
  return 0;
}
extern "C" int cuDeviceGetName(char* name, int size, int device) {
  name[0] = 'X';
  name[1] = '\0';
  return size + device < 0 ? 1 : 0;
}
