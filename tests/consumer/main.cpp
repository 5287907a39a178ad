#include <iostream>

#include <driftless/base/build_info.hpp>

int main() {
  std::cout << "driftless " << driftless::kVersion << " (" << driftless::kCompiler << "; "
            << driftless::kLibraries << ")\n";
}
