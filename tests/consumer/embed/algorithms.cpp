// Lists the broadcasts and asks one shape a question, as a teacher's script would.
#include <cstdio>

#include "algorithms/bcast/cube.hpp"
#include "algorithms/table.hpp"

int main() {
  for (const algorithms::Algorithm& row : algorithms::table())
    std::printf("%.*s\n", static_cast<int>(row.name.size()), row.name.data());
  std::printf("cube needs %d rounds\n", algorithms::cube::Shape(7, 2).rounds());
}
