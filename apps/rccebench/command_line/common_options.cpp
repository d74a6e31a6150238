// SPDX-License-Identifier: Apache-2.0
#include "command_line/common_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/shard.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/output_file.hpp"

namespace rccebench {

void CommonOptions::add_to(Command& command, std::optional<mesh::Capability> needs, Values values) {
  const auto names = needs ? mesh::machines_with(*needs) : mesh::machine_names();
  command.option("--machine", machine, fmt::format("machine: {}, or a machine file", fmt::join(names, ", ")))
      .with_default_in_help()
      .tells(some_machine);
  add_settings_to(command, values);
  command
      .option("--frames", frames,
              "contiguous or random: order in which private memory gets its physical page frames")
      .one_of({"contiguous", "random"});
  add_output_to(command);
}

void CommonOptions::add_settings_to(Command& command, Values values) {
  command.option(
      "--set", settings,
      std::string(
          "SECTION.NAME=VALUE: a parameter of the machine; rccerun --print-machine lists them. May be "
          "repeated") +
          (values == Values::several
               ? ". With several values, for example 2,4,8, everything runs once with each value"
               : ""));
  command
      .option("--contention", contention,
              "on or off: whether packets wait for each other at links, buffers and controllers")
      .one_of({"on", "off"});
  command
      .option("--granularity", granularity,
              "what of a copy is one event. exact: the lines until one meets somebody. lines: one, which "
              "takes longer; times are the same (default: exact)")
      .one_of({"exact", "lines"});
}

void CommonOptions::add_output_to(Command& command) {
  command.option("--format", format, "table, csv, json, markdown or latex");
  command.option("-o,--output", file, "write to this file instead of standard output").writable();
}

void CommonOptions::add_hosts_to(Command& command) {
  command.option(
      "-f,--hostfile", host_file,
      "host file, one core number per line: cores are taken in its order instead of from 0 upwards");
}

void CommonOptions::add_statistics_to(Command& command) {
  command.only_new(
      command.optional_value("--statistics", statistics, statistics_file,
                             "what cores, calls, links, buffers and controllers did in each run, including "
                             "start and checks, the busiest first. Without FILE a table on stderr. FILE "
                             "ending in .csv or .json has that format, else a table"));
}

void CommonOptions::add_report_to(Command& command) {
  command.new_page("--report", report_file,
                   "the results as a self-contained HTML page; -: to standard output, instead of the table");
}

void CommonOptions::add_sweep_to(Command& command, unsigned* jobs) {
  if (jobs != nullptr)
    command.option("--jobs", *jobs, "points simulated side by side (default: one per processor)")
        .between(1, most_jobs);
  command
      .option("--shard", shard,
              "I/N: compute every Nth point, from the Ith on; auto: I and N from mpirun, srun or a Slurm "
              "array. Takes --format json -o FILE, or --resume FILE; {shard} in FILE becomes I. rccebench "
              "merge joins the files")
      .not_blank();
  command
      .option("--resume", resume,
              "write each result to this JSON file as soon as it is computed; results that are in the file "
              "already are not computed again")
      .writable();
  command
      .option("--cache", cache,
              "folder that keeps the results of all commands; results found there are not computed again")
      .not_blank();
  command
      .option("--cache-size", cache_mib,
              "limit of the cache in MiB; beyond it, the results unused for longest are removed")
      .between(1, 1 << 20)
      .with_default_in_help();
  command.before_chosen([this](const Command& chosen) {
    open_store(chosen.given({"shard", "resume", "cache", "cache-size", "output", "format", "jobs", "progress",
                             "force", "report", "tries", "minutes"}));
  });
}

void CommonOptions::open_store(std::vector<std::string> words) {
  if (shard.empty() && resume.empty() && cache.empty()) return;
  lab::StoreOptions store;
  store.command = std::move(words);
  store.cache = cache;
  store.cache_bytes = static_cast<std::uintmax_t>(cache_mib) << 20;
  store.resumes = !resume.empty();
  if (!shard.empty()) {
    if (statistics || !report_file.empty())
      throw mesh::UserError(
          fmt::format("{}: a shard has only some of the points; leave out this option or --shard",
                      statistics ? "--statistics" : "--report"));
    if (resume.empty() && (format != Format::json || file.empty() || file == mesh::standard_output))
      throw mesh::UserError(fmt::format("--shard '{}': only JSON files can be merged; add --format json -o "
                                        "part-{{shard}}.json, or --resume part-{{shard}}.json",
                                        shard));
    store.shard = read_shard(shard, resume.empty() ? file : resume);
    for (std::string* name : {&file, &resume}) *name = named_by_shard(*name, store.shard);
  }
  if (!resume.empty() && format != Format::json && mesh::same_file(resume, file))
    throw mesh::UserError(
        fmt::format("--output '{}': --resume keeps JSON in this file; write to another, or add "
                    "--format json",
                    file));
  store.file = !resume.empty() ? resume : !shard.empty() ? file : "";
  result_store().open(std::move(store));
}

std::string CommonOptions::machine_name() const {
  return settings.empty() ? machine : fmt::format("{} {}", machine, fmt::join(settings, " "));
}

rcce::MachineChoice CommonOptions::choice() const {
  rcce::MachineChoice all{machine, {}};
  for (const std::string& setting : settings) all.add("--set", setting);
  const auto set = [&all](const char* option, const char* parameter, const std::string& value) {
    if (!value.empty()) all.settings.push_back({fmt::format("{} {}", option, value), parameter, value});
  };
  set("--contention", "mesh.contention", contention);
  set("--granularity", "mesh.granularity", granularity);
  set("--frames", "dram.frames", frames);
  return all;
}

Machine open_machine(const CommonOptions& options) {
  Machine machine = lab::open_machine(options.choice());
  if (!options.settings.empty()) machine.config.rename(options.machine_name());
  machine.host_file = options.host_file;
  return machine;
}

} // namespace rccebench
