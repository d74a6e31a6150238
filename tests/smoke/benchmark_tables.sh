#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tables that the OSU benchmarks, IMB and nccl-tests print: are they read as they are, among other lines of a
# job's output? Is the block of one rank translated? Is the mean over ranks compared with the model's mean?
# Is what the table does not say asked for, and is a wrong row refused by its line?
set -eu
. "$SOURCE/tests/support/checks.sh"
cd "$WORK"
compared() { # compared FILE OPTIONS...: into out.csv
  "$bench" validate --machine "${machine:-scc}" --format csv -o out.csv --force "$@" >out.txt 2>err.txt ||
    { cat out.txt err.txt; fail "not compared: $*"; }
}
has() { # has PATTERN: in out.csv
  grep -q -- "$1" out.csv || { cat out.csv; fail "no line '$1'"; }
}

# OSU: the size of an allgather is one rank's block; means are compared with means.
cat >osu.txt <<'END'
Loading module mpi/own
srun: job 17 queued

# OSU MPI Allgather Latency Test v7.3
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
32                    31.25             29.01             33.50        1000
1024                 140.50            133.00            149.75        1000

# OSU MPI-CUDA Broadcast Latency Test v5.9
# Size       Avg Latency(us)
0                       0.10
8192                    75.00

# OSU MPI Barrier Latency Test v7.3
# Avg Latency(us)
             12.75
# OSU MPI Multi Latency Test v7.3
# Size          Latency (us)
1                       2.00
# OSU MPI_Put Latency Test v5.8
# Window creation: MPI_Win_allocate
# Size          Latency (us)
1                       0.30
# OSU MPI Broadcast Latency Test v7.3
# Size       Avg Latency(us)
0                       0.10
# OSU OpenSHMEM Put Test v7.3
# Size          Latency (us)
64                      0.40
# OSU Test
real 0m3.1s
END
compared --data osu.txt --cores 8
has '^# translated.*OSU Allgather Latency: 2 rows, 8 ranks, means over the ranks; sizes are of one rank.s'
has 'here of all ranks together'
has '^# translated.*OSU Broadcast Latency: 1 rows, 2 left out'
has '^# translated.*OSU Multi Latency: left out'
has '^# translated.*OSU MPI_Put Latency: left out'
has '^# translated.*OSU OpenSHMEM Put: left out'
has '^OSU_allgather,Allgather_Latency-8-1024,.* cores=8 bytes=8192.*,140.5,us,'
has '^OSU_bcast,.* cores=8 bytes=8192.*,75,us,'
has '^OSU_barrier,.* cores=8.*,12.75,us,'
[ "$(grep -c ^OSU out.csv)" -eq 4 ] || { cat out.csv; fail "not four rows"; }
refused "--operation reduce: the table is of allgather; leave the option out" validate --machine scc \
  --data osu.txt --cores 8 --operation reduce
# Messages of clusters are whole words: the rows below are left out and counted.
printf '%s\n' '# OSU MPI Broadcast Latency Test v7.3' '# Size  Avg Latency(us)' '1 2.1' '2 2.2' \
  '4 2.3' '64 3' >small.txt
machine=alc
compared --data small.txt --cores 8 --algorithm bcast/binomial
machine=scc
has '^# translated.*OSU Broadcast Latency: 2 rows, 2 left out'
has "^# means  *stand beside the time of the whole operation: machine 'alc' does not tell those of its ranks"
compared --data osu.txt --cores 8
! grep -q '^# means ' out.csv || fail "the chip tells its ranks' times: $(cat out.csv)"
# The model beside them is the point's mean over the ranks.
"$bench" bcast --cores 8 --sizes 8192 --algorithms cube --format csv -o points.csv
mean=$(awk -F, '/^#/ { next } !n { for (i = 1; i <= NF; ++i) if ($i == "simulated_us_avg") n = i; next }
  { print $n }' points.csv)
compared --data osu.txt --cores 8 --algorithm bcast/cube
has "^OSU_bcast,[^,]*,bcast/cube cores=8 bytes=8192,$mean,"
refused "--algorithm brodcast/cube: there is no operation 'brodcast'" validate --machine scc --data osu.txt \
  --cores 8 --algorithm brodcast/cube
# A name that stands beside no row is refused: as another algorithm of one operation, or of no table.
refused "--algorithm cube,bcast/linear: no row of 'small.txt' stands beside 'cube'" validate \
  --machine scc --data small.txt --cores 8 --algorithm cube,bcast/linear
refused "no row of 'osu.txt' stands beside 'reduce/tree'" validate --machine scc --data osu.txt --cores 8 \
  --algorithm bcast/cube,reduce/tree
printf '%s\n' group,id,value,algorithm,cores,bytes,time t,A,75,bcast/cube,8,8192,mean \
  t,B,75,bcast/cube,8,8192,last >own.csv
compared --data own.csv
has "^t,A,[^,]*,$mean,"
! grep -q "^t,B,[^,]*,$mean," out.csv || fail "last and mean are the same"
refused "--algorithm: it is of tables that another benchmark has printed" validate --data own.csv \
  --algorithm cube
refused "--cores: it is of tables that another benchmark has printed, not of published rows" validate \
  --cores 8
refused "--median-over: it is of measurements" validate --median-over dram.frame_seed=1-3:1

# IMB: ranks stand in the file, several numbers of them too; single messages are compared beside.
cat >imb.txt <<'END'
#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part
# MPI_Datatype for reductions    :   MPI_INT
#---------------------------------------------------
# Benchmarking PingPong
# #processes = 2
#---------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000         0.90         0.00
           32         1000         2.50        12.80
         1024         1000        11.00        93.09
#----------------------------------------------------------------
# Benchmarking Allreduce
# #processes = 2
# ( 2 additional processes waiting in MPI_Barrier)
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            0         1000         0.05         0.05         0.05
            4         1000         8.25         8.75         8.50
            6         1000         8.25         8.75         8.50
#----------------------------------------------------------------
# Benchmarking Allreduce
# #processes = 4
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         4096         1000        80.25        90.75        85.50
#----------------------------------------------------------------
# Benchmarking Alltoall
# #processes = 4
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
          256         1000        30.25        33.75        32.50
# Benchmarking Barrier
# #processes = 4
 #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1000         7.00         7.50         7.25
END
compared --data imb.txt
has '^# translated.*IMB Allreduce: 2 rows, 2 left out.* 2 and 4 ranks'
has '^IMB_allreduce,Allreduce-2-4,.* cores=2 bytes=4 type=int.*,8.5,us,'
has '^IMB_alltoall,.* cores=4 bytes=1024.*,32.5,us,'
has '^IMB_barrier,.*,7.25,us,'
has '^pingpong_prefetching,PingPong-1024,.*,MiB/s,'
has '^# translated.*IMB PingPong: 2 rows, .*messages of RCCE 1.0 with prefetching copies, cores 0 and 1'
[ "$(grep -c '^IMB\|^ping' out.csv)" -eq 6 ] || { cat out.csv; fail "not six rows"; }

# nccl-tests count whole buffers; older tables do not name the operation.
cat >nccl.txt <<'END'
# nThread 1 nGpus 4 minBytes 1024 maxBytes 8192 step: 8(factor) warmup iters: 5 iters: 20 agg iters: 1
# Using devices
#  Rank  0 Group  0 Pid   10 on   own device  0 [0x00] Own
#  Rank  1 Group  0 Pid   10 on   own device  1 [0x01] Own
#  Rank  2 Group  0 Pid   10 on   own device  2 [0x02] Own
#  Rank  3 Group  0 Pid   10 on   own device  3 [0x03] Own
#
#                                             out-of-place                    in-place
#    size      count      type   redop    root     time   algbw   busbw #wrong  time   algbw   busbw #wrong
#     (B) (elements)                               (us)  (GB/s)  (GB/s)         (us)  (GB/s)  (GB/s)
     1024        256     float     max      -1    31.50    0.03    0.05      0 31.00    0.03    0.05    N/A
Total time 1 s
     8192       2048     float     max      -1    90.50    0.09    0.14      0 90.25    0.09    0.14    N/A
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 0.0950
END
compared --data nccl.txt --operation allreduce
has '^nccl-tests_allreduce,all_reduce-4-8192,.* cores=4 bytes=8192 type=float op=max.*,90.5,us,'
# Operations with a root stand beside that root.
{ echo '# Collective test starting: broadcast_perf'; sed 's/ max      -1/none       2/' nccl.txt; } >root.txt
compared --data root.txt
has '^nccl-tests_bcast,broadcast-4-8192,.* cores=4 bytes=8192 root=2.*,90.5,us,'
{ echo '# Collective test starting: all_gather_perf'; sed 's/ max / none/' nccl.txt; } >named.txt
compared --data named.txt
has '^nccl-tests_allgather,all_gather-4-8192,.* cores=4 bytes=8192.*,90.5,us,'

# A fit to such a table, where the build has the optimiser.
if "$bench" calibrate --measured imb.txt --machine scc --fit mesh.router_cycles --starts 1 --evaluations 3 \
  >fit.txt 2>err.txt; then
  grep -q '^# translated.*IMB Alltoall' fit.txt ||
    { cat fit.txt; fail "calibrate does not say what it reads"; }
else
  grep -q 'no optimiser' err.txt || { cat err.txt; fail "calibrate does not read the table"; }
fi

# What is not said is asked for; what contradicts is refused.
refused "line 4: a table of this kind names no machine.*--machine NAME" validate --data osu.txt --cores 8
refused "rows of the table stand beside one algorithm of bcast; name one" validate --data osu.txt \
  --machine scc --cores 8 --algorithm bcast/cube,bcast/linear
refused "'osu.txt' line 7: the table does not say of how many ranks it is.*--cores N" validate \
  --data osu.txt --machine scc
refused "'imb.txt' line 17: --cores 8: the table is of 2 ranks" validate --data imb.txt --machine scc \
  --cores 8
refused "'nccl.txt' line 1: .*does not name its operation.*--operation" validate --data nccl.txt --machine scc
refused "no choice of auto.*barrier/NAME with .*--algorithm" validate --data osu.txt --cores 8 \
  --machine xeon-x5650 --algorithm bcast/binomial,allgather/ring
sed -n '/Broadcast/,/^$/p' osu.txt >bcast.txt
refused "there is no 'bcast/linear'[^;]*; there are \(bcast/[a-z_]*,* *\)*$" validate --data bcast.txt \
  --cores 8 --machine xeon-phi-5110p --algorithm bcast/linear
refused "there is no 'bcast/cubes'" validate --data osu.txt --cores 8 --machine scc --algorithm bcast/cubes

# A wrong row, by its line.
wrong() { # wrong MESSAGE ROW
  printf '# OSU MPI Broadcast Latency Test v7.3\n# Size       Avg Latency(us)\n%s\n' "$2" >wrong.txt
  refused "'wrong.txt' line 3: $1" validate --data wrong.txt --machine scc --cores 8
}
wrong "'7,5' is no time" '32 7,5'
wrong "'7.5us' is no time" '32 7.5us'
wrong "1 fields, and column 'Latency'" '32'
wrong "'32K' is no size" '32K 7.5'
wrong "'99999999999999999999' is no size" '99999999999999999999 7.5'
wrong "'9223372036854775807' is no size" '9223372036854775807 7.5'
# A row that stands twice would count twice, in one table or in two; other types and numbers of ranks are
# other rows.
printf '%s\n' '# OSU MPI Broadcast Latency Test v7.3' '# Size  Avg Latency(us)' '32 2.1' '64 2.2' '32 9.9' \
  >twice.txt
refused "'twice.txt' line 5: OSU Broadcast Latency of 32 bytes has its time in line 3 already" validate \
  --data twice.txt --machine scc --cores 8
{ cat imb.txt; sed -n '/^# Benchmarking Barrier/,$p' imb.txt; } >twice.txt
refused "line 39: IMB Barrier of 4 ranks has its time in line 35 already" validate --data twice.txt \
  --machine scc
printf '%s\n' '# OSU MPI Allreduce Latency Test v7.3' '# Datatype: MPI_INT.' '# Size  Avg Latency(us)' \
  '32 2.1' '# Datatype: MPI_FLOAT.' '# Size  Avg Latency(us)' '32 2.2' >types.txt
compared --data types.txt --cores 8
has '^# translated.*OSU Allreduce Latency: 2 rows, 8 ranks'
# Another unit than microseconds, or another column in the place of the mean.
for names in 'Size  Avg Latency(ms)' 'Size  Min Latency(us)  Max Latency(us)  Avg Latency(us)' \
  'Avg Latency(s)'; do
  printf '# OSU MPI Broadcast Latency Test v7.3\n# %s\n32 7.5 8 9\n' "$names" >wrong.txt
  refused "'wrong.txt' line 2: '# .*': the time is expected in the first column" validate \
    --data wrong.txt --machine scc --cores 8
done
# Rows whose result the benchmark has found wrong are left out and counted.
printf '%s\n' '# OSU MPI Broadcast Latency Test v7.3' '# Size  Avg Latency(us)  Validation' '32 2.1 Pass' \
  '64 2.2 Fail' '128 2.3 Pass' >checked.txt
compared --data checked.txt --cores 8
has '^# translated.*OSU Broadcast Latency: 2 rows, 1 left out whose results the benchmark found wrong'
! grep -q 'bytes=64' out.csv || fail "a wrong result of OSU: $(cat out.csv)"
sed '/ 8192 /s/   0 /   3 /' nccl.txt | sed 's/    N\/A$/      0/' >checked.txt
compared --data checked.txt --operation allreduce
has '^# translated.*nccl-tests all_reduce: 1 rows, 1 left out whose results the benchmark found wrong'
sed '/^ *#bytes.*t_avg/s/$/  defects/; /\(85\|32\).50$/s/$/  0.00/; /8.50$/s/$/  0.25/' imb.txt >checked.txt
compared --data checked.txt
has '^# translated.*IMB Allreduce: 1 rows, 2 left out.*, 1 left out whose results the benchmark found wrong'
has '^IMB_alltoall,'
sed 's/float     max/half      max/' nccl.txt >half.txt
refused '"type" .half.: allowed are' validate --data half.txt --machine scc --operation allreduce
sed 's/Allgather/Multi/;/Broadcast/,$d' osu.txt >nothing.txt
refused "no row of its tables can be compared (OSU Multi Latency: left out" validate --data nothing.txt \
  --machine scc --cores 8
sed '/Allreduce/,$d' imb.txt >messages.txt
refused "rows are of single messages, and machine 'xeon-x5650'" validate --data messages.txt \
  --machine xeon-x5650
echo 'hello world' >none.txt
refused "'none.txt': has none of the columns.*no head.*OSU.*Broadcast Latency.*Benchmarking.*PingPong" \
  validate --data none.txt
# CR LF, as a table that went through another system has it.
sed 's/$/\r/' imb.txt >crlf.txt
compared --data crlf.txt
has '^IMB_alltoall,.*,32.5,us,'
