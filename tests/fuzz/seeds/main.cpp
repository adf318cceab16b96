#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "../harness.hpp"

// Instead of a fuzzer: gives each file of the folders named to the harness.
int main(int count, char** folders) {
  int files = 0;
  for (int i = 1; i < count; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(folders[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      std::printf("%s\n", entry.path().c_str());
      std::fflush(stdout);
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
      ++files;
    }
  if (files == 0) std::fprintf(stderr, "no seeds\n");
  return files == 0;
}
