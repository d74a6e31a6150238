// SPDX-License-Identifier: Apache-2.0
// The example of TEAM.md, as a stranger has it.
#include <cstdio>
#include <vector>

#include <rockcreek/team.hpp>

int main() {
  const std::vector<double> x(1000000, 0.5);
  rockcreek::Team team;
  team.run([&](rockcreek::Member& me) {
    double sum = 0;
    for (std::size_t i = static_cast<std::size_t>(me.thread()); i < x.size();
         i += static_cast<std::size_t>(me.threads()))
      sum += x[i];
    sum = me.reduce(std::plus<>(), sum);
    if (me.thread() == 0) std::printf("%g\n", sum);
  });
}
