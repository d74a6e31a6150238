// SPDX-License-Identifier: Apache-2.0
#include "lab/trace_output.hpp"

#include <cerrno>
#include <unistd.h>

#include "mesh_sim/output_file.hpp"

namespace lab {
namespace {

constexpr const char* option = "--trace";

int opened(const std::string& file) {
  const int fd = mesh::open_output(file);
  if (fd < 0) mesh::throw_unwritten(option, file, errno);
  return fd;
}

} // namespace

TraceOutput::TraceOutput(const std::string& file, const mesh::Observers& told_by)
    : name_(file),
      fd_(opened(file)),
      file_(fd_),
      trace_(told_by, [this](std::string_view events) { file_.write(events); }) {}

TraceOutput::~TraceOutput() {
  close(fd_);
}

void TraceOutput::finish() {
  trace_.end();
  file_.finish();
  if (file_.error() != 0) mesh::throw_unwritten(option, name_, file_.error());
}

} // namespace lab
