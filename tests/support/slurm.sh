# SPDX-License-Identifier: Apache-2.0
# Slurm's own daemons for the length of a test, in the folder $1: one node, this machine, without Munge, on
# ports that they choose from the number of the shell. Sourced; `start_slurm DIR` returns 1, with the reason
# in $no_slurm, where they are missing or do not come up. Whoever sources it calls `stop_slurm` at its end.
stop_slurm() {
  for daemon in slurmctld slurmd; do
    [ ! -s "$slurm_dir/$daemon.pid" ] || kill "$(cat "$slurm_dir/$daemon.pid")" 2>/dev/null || true
  done
}
start_slurm() {
  slurm_dir=$1
  no_slurm='Slurm is not installed (Debian: slurm-wlm)'
  PATH=$PATH:/usr/sbin
  for tool in slurmctld slurmd sbatch srun; do command -v $tool >/dev/null || return 1; done
  no_slurm='Slurm is run by root here'
  [ "$(id -u)" -eq 0 ] || return 1
  rm -rf "$slurm_dir"
  mkdir -p "$slurm_dir/state" "$slurm_dir/spool"
  port=$((20000 + $$ % 10000 * 2))
  cat >"$slurm_dir/slurm.conf" <<END
ClusterName=rockcreek
SlurmctldHost=$(hostname -s)(127.0.0.1)
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$slurm_dir/state
SlurmdSpoolDir=$slurm_dir/spool
SlurmctldPidFile=$slurm_dir/slurmctld.pid
SlurmdPidFile=$slurm_dir/slurmd.pid
SlurmctldLogFile=$slurm_dir/slurmctld.log
SlurmdLogFile=$slurm_dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MailProg=/bin/true
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  SLURM_CONF=$slurm_dir/slurm.conf
  export SLURM_CONF
  no_slurm="Slurm's daemons do not come up (see $slurm_dir)"
  slurmctld -c >"$slurm_dir/out" 2>&1 || return 1
  slurmd >"$slurm_dir/out" 2>&1 || return 1
  for _ in $(seq 100); do
    [ "$(sinfo -h -o %T 2>"$slurm_dir/err")" != idle ] || return 0
    sleep 0.1
  done
  return 1
}
