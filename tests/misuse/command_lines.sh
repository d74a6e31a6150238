# SPDX-License-Identifier: Apache-2.0
# Every mistake that can be made at a command line, in a host file, a machine file or the environment: the
# status and words of the message. One row each, in the order of the sources that detect it. Each message is
# one of one command, on standard error, with nothing on standard output.
failed=0
rows=0
says() { # says STATUS TEXT COMMAND...: TEXT is part of the message
  status=$1 text=$2
  shift 2
  rows=$((rows + 1))
  timeout 20 "$@" >out 2>err </dev/null
  got=$?
  [ "$got" -eq "$status" ] || { echo "$*: status $got, expected $status"; cat err; failed=1; }
  grep -qF -- "$text" err || { echo "$*: no '$text' in:"; cat err; failed=1; }
  grep -qE 'terminate called|what\(\)' err &&
    { echo "$*: an exception that nobody catches:"; cat err; failed=1; }
  [ ! -s out ] || { echo "$*: on standard output:"; head -3 out; failed=1; }
}
file() { # file NAME TEXT: with printf's escapes
  printf "$2" >"$1"
}
rm -rf folder && mkdir -p folder
wrong=$PROGRAMS/wrong
run() { # run STATUS TEXT OPTION...
  status=$1 text=$2
  shift 2
  says "$status" "$text" "$BIN/rccerun" -nue 2 "$@" "$wrong" no-init
}

# rccerun: its own words
says 2 "Usage: " "$BIN/rccerun"
says 2 "rccerun --help lists all options" "$BIN/rccerun"
says 2 'Usage: ' "$BIN/rccerun" -nue 2
says 2 'no executable specified' "$BIN/rccerun" -nue 2 --digest
says 2 'wrong option --digets (did you mean --digest?)' "$BIN/rccerun" -nue 2 --digets "$wrong"
run 2 "--digest 'yes': this option takes no value" --digest=yes
run 2 "--clock 'fast': not a number; GHz" --clock fast
run 2 "-clock '0': GHz, above 0" -clock 0
run 2 "--compute 'x': takes 'none', 'blocks', 'cache' or 'host:SCALE'" --compute x
run 2 "--compute 'x': not a number; host:SCALE takes a factor above 0" --compute host:x
run 2 "--compute 'host:0': host:SCALE takes a factor above 0" --compute host:0
run 2 "-clock 'inf': GHz, above 0 and at most 1000000" -clock inf
run 2 "-clock 'nan': GHz, above 0" -clock nan
run 2 "-clock '2e6': GHz, above 0" -clock 2e6
run 2 "--compute 'host:inf': host:SCALE takes a factor above 0, at most 10000" --compute host:inf
run 2 "--compute 'host:1e9': host:SCALE takes a factor above 0" --compute host:1e9
run 2 "--engine 'thread': takes sim, threads, mpi; did you mean 'threads'?" --engine thread
run 2 "--rcce '3.0': takes 1.0, 2.0" --rcce 3.0
run 2 "--loading 'copy': takes auto, dlopen, clone" --loading copy
run 2 "--stack-size '1X': not a size; bytes, with K, M or G" --stack-size 1X
run 2 "--stack-size '1': takes at least 64K" --stack-size 1
run 2 "--heap-size '0': takes at least 64K" --heap-size 0
run 2 "--heap-size '99999999G': more than the 64 TB" --heap-size 99999999G
run 2 "--shared-memory '-1': not a size" --shared-memory -1
run 2 "--timeout 'soon': not a number; seconds" --timeout soon
run 2 "--timeout '-1': seconds of host time" --timeout -1
run 2 "--timeout 'inf': seconds of host time" --timeout inf
run 2 "--timeout 'nan': seconds of host time" --timeout nan
for seconds in 1e10 1e12 1e300; do
  "$BIN/rccerun" -nue 2 --timeout $seconds "$wrong" no-init ||
    { echo "--timeout $seconds: status $?, and nobody has waited so long"; failed=1; }
done
run 2 "-f '': takes the name of a file" -f ''
run 2 "--set 'columns=3': takes SECTION.NAME=VALUE" --set columns=3
run 2 "--contention: contention = 'maybe' is neither 'on' nor 'off'" --contention maybe
run 2 "granularity = 'exakt' is none of exact|lines; did you mean 'exact'?" --granularity exakt
run 2 "frames = 'randm' is none of contiguous|random; did you mean 'random'?" --frames randm
run 2 "frame_seed = 'x' is not a whole number" --seed x
run 2 '--digest with --engine threads: cores that act at the same time have no order' --engine threads \
  --digest
run 2 '--statistics with --engine threads' --engine threads --statistics
run 2 '--energy with --engine threads' --engine threads --energy
run 2 '--compute host with --engine threads' --engine threads --compute host:1

# rccerun: the program
says 127 "no program './missing'" "$BIN/rccerun" -nue 2 ./missing
says 127 "no program 'missing' in this folder or in PATH" "$BIN/rccerun" -nue 2 missing
says 127 "no program './folder': it is no regular file" "$BIN/rccerun" -nue 2 ./folder
says 127 "no program '/dev/zero': it is no regular file" "$BIN/rccerun" -nue 2 /dev/zero
cp "$wrong" not_executable && chmod -x not_executable
echo 'int main(void) { return 0; }' >ring.c
says 126 "'./ring.c' is a source; compile it first: rccecc ./ring.c -o ring, then rccerun ./ring" \
  "$BIN/rccerun" -nue 2 ./ring.c
says 126 "'./not_executable' cannot be started: Permission denied" "$BIN/rccerun" -nue 2 ./not_executable
says 2 "'/bin/sh' was not built by rccecc: it has no symbol 'rockcreek_image'" "$BIN/rccerun" -nue 2 /bin/sh
for bytes in 10 63 100 1000 20000 40000; do
  head -c $bytes "$wrong" >truncated && chmod +x truncated
  says 2 "program './truncated' is" "$BIN/rccerun" -nue 2 ./truncated
done
says 2 'is compiled for RCCE 1.0, but --rcce 2.0 is asked for' "$BIN/rccerun" -nue 2 --rcce 2.0 \
  "$PROGRAMS/wrong_old" no-init

# host files
host_file() { # host_file TEXT CONTENT
  file hosts "$2"
  run 2 "$1" -f hosts
}
run 2 "Could not find or read hostfile '/no/such/file'" -f /no/such/file
run 2 "Could not find or read hostfile 'folder'" -f folder
run 2 "'/dev/zero' is larger than 4 MB" -f /dev/zero
host_file "Number of UEs requested exceeds number of available UEs: 2 asked for, 1 listed in hostfile \
'hosts'" '00\n'
host_file "2 asked for, 0 listed in hostfile 'hosts'" ''
host_file "hostfile 'hosts' line 2: core 48 is out of range 0..47" '00\n48\n'
host_file "line 1: core 99999999999 is out of range" '99999999999\n'
host_file "line 2: core -1 is out of range" '00\n-1\n'
host_file "line 1: 'rck00' is no core number" 'rck00\n'
host_file "line 2: core 00 is listed a second time, first in line 1" '00\n00\n'

# machine files
machine_file() { # machine_file TEXT CONTENT
  file machine "$2"
  run 2 "$1" --machine machine
}
run 2 "controller_tiles = '0,0 5' is neither 'edges' nor tiles as in 0,0 5,0" \
  --set "dram.controller_tiles=0,0 5"
run 2 "controllers = 4, but controller_tiles names 2 tiles; set controllers = 2" \
  --set "dram.controller_tiles=0,0 5,0"
run 2 "controller_tiles names 0,0 twice; a second controller there would serve no tile" \
  --set "dram.controller_tiles=0,0 5,0 0,0 5,2"
run 2 "there is no tile 6,0 on a mesh of 6 columns and 4 rows" --set "dram.controller_tiles=6,0" \
  --set dram.controllers=1
run 2 "topology = 'tours' is none of mesh|torus|graph; did you mean 'torus'?" --set mesh.topology=tours
run 2 "kind = 'cluster' is none of scc" --set machine.kind=cluster
run 2 "machine 'sxc' is neither a preset (scc, scc-fast, " --machine sxc
run 2 "nor a readable file; did you mean 'scc'?" --machine sxc
run 2 "did you mean 'xeon-phi-5110p'?" --machine xeon-phi
run 2 "machine 'alc', of kind cluster, has no message-passing buffers, which RCCE programs need" --machine alc
run 2 "machine 'xeon-phi-5110p', of kind coherent, has no message-passing buffers, which RCCE programs need; \
choose --machine scc or" \
  --machine xeon-phi-5110p
run 2 "machine 'opteron-6172', of kind coherent, has no message-passing buffers" --engine threads \
  --machine opteron-6172
run 2 "machine 'folder' is neither a preset" --machine folder
run 2 "'/dev/zero' is larger than 4 MB" --machine /dev/zero
machine_file "machine line 2: unknown section [mash]; there are [machine], [mesh]" '\n[mash]\n'
machine_file "machine line 1: section '[mesh' lacks its closing ']'" '[mesh\n'
machine_file "machine line 2: 'columns' is neither a [section] nor 'name = value'" '[mesh]\ncolumns\n'
machine_file "machine line 1: 'columns' stands before the first [section]" 'columns = 3\n'
machine_file "machine line 2: unknown name 'colums' in [mesh]; did you mean 'columns'?" '[mesh]\ncolums = 3\n'
machine_file "columns = 'six' is not a whole number (tiles)" '[mesh]\ncolumns = six\n'
machine_file "columns = 1001 is out of range 1..1000 tiles" '[mesh]\ncolumns = 1001\n'
machine_file "clock = 'fast' is not a number (MHz)" '[mesh]\nclock = fast\n'
machine_file "clock = 'nan' is not a number" '[mesh]\nclock = nan\n'
machine_file "contention = 'yes' is neither 'on' nor 'off'" '[mesh]\ncontention = yes\n'
machine_file "frames = 'some' is none of contiguous|random" '[dram]\nframes = some\n'
machine_file "machine 'machine': [cache] l1_bytes = 16384 with l1_ways = 3 is no cache" \
  '[cache]\nl1_ways = 3\n'
machine_file "mpb_bytes = 100 is no multiple of 32 bytes" '[tile]\nmpb_bytes = 100\n'
machine_file "make 1000000 cores; at most 65536 can be simulated" \
  '[mesh]\ncolumns=1000\nrows=1000\ncores_per_tile=1\n'
machine_file "compiled for message-passing buffers of 8192 bytes (RCCE_BUFF_SIZE_MAX), machine" \
  '[tile]\nmpb_bytes = 4096\n'
run 2 "[cache] l2_bytes = 262144 with l2_ways = 5 is no cache" --set cache.l2_ways=5
run 2 "copies = 'fast' is none of own|plain|prefetching" --set rcce.copies=fast
run 2 "[cache] l1_bytes = 524288 with l2_bytes = 262144: the first level is larger" \
  --set cache.l1_bytes=524288
run 2 "[dram] controllers = 9: the edges of a mesh of 4 rows have places for 8" --set dram.controllers=9
run 2 "rcce20_call = 9000000000000000 is out of range 0..1000000 core cycles" \
  --set rcce.rcce20_call=9000000000000000
run 2 "ircce_backoff_last = 1000001 is out of range 0..1000000 core cycles" \
  --set rcce.ircce_backoff_last=1000001
# A clock below 1 MHz still is one: the launcher's words do not become the program's.
for clock in 1 1.4; do
  "$BIN/rccerun" -nue 2 --set tile.global_clock=$clock --verbose "$wrong" no-init 2>err ||
    { echo "$clock MHz:"; cat err; failed=1; }
  grep -q "no-init" err && ! grep -q " 0.000 00" err ||
    { echo "$clock MHz is told as none:"; cat err; failed=1; }
done
# Orders that no run makes are not replayed, whatever else the run does.
orders() { # orders STATUS ORDERS PROGRAM...
  status=$1 orders=$2
  shift 2
  "$BIN/rccerun" -nue 3 --replay "$orders" "$@" >out 2>err
  got=$?
  [ $got -eq $status ] && grep -q "replay: the order $orders did not occur: core" err ||
    { echo "--replay $orders $*: status $got, expected $status"; cat err; failed=1; }
}
orders 2 0.999999:1.0 "$wrong" finalize-early
orders 2 0.0:1.999999 "$wrong" finalize-early
orders 2 99.0:1.0 "$wrong" finalize-early
orders 2 0.0:0.5 "$wrong" finalize-early
orders 7 0.999999:1.0 "$wrong" exit7
file machine ''
"$BIN/rccerun" -nue 1 --machine machine "$wrong" no-init ||
  { echo 'an empty machine file is the SCC'; failed=1; }

# the environment, and programs that are started directly
says 2 'ROCKCREEK_OPTIONS' env ROCKCREEK_OPTIONS=--digets "$wrong" no-init
says 2 "there is no option 'digest'; this is in the environment variable ROCKCREEK_OPTIONS" \
  env ROCKCREEK_OPTIONS=digest "$wrong" no-init
says 2 "ROCKCREEK_OPTIONS" env "ROCKCREEK_OPTIONS=--machine=gone" "$wrong" no-init
says 2 "machine 'gone' is neither" env "ROCKCREEK_OPTIONS=--tag-output --machine gone" "$wrong" no-init
says 2 'RCCE_NUE=many: the number of UEs has to be 1..48' env RCCE_NUE=many "$wrong" no-init
says 2 'RCCE_NUE=49: the number of UEs has to be 1..48' env RCCE_NUE=49 "$wrong" no-init
says 2 'core 0 is listed twice' "$wrong" 2 0.533 00 00 no-init
says 2 "core 48 is out of range 0..47 of machine 'scc'" "$wrong" 2 0.533 00 48 no-init
says 127 'no program' env -u PATH "$BIN/rccerun" -nue 2 missing
says 1 "cannot make a temporary folder '/no/such/folder/rccecc-" env TMPDIR=/no/such/folder "$BIN/rccecc" \
  x.c -o x
says 1 "--rcce '7'" env RCCECC_OPTIONS=--rcce=7 "$BIN/rccecc" x.c -o x

# rccecc; what is wrong with a source or an object is the compiler's to say, and its status is passed on
echo 'int RCCE_APP(int c, char** v) { return 0; }' >x.c
says 1 "--rcce '3': no such generation of the library; there are 1.0 and 2.0" "$BIN/rccecc" --rcce 3 x.c
says 1 "option '--rcce' needs a word behind it" "$BIN/rccecc" x.c --rcce
says 1 "option '-o' needs a word behind it" "$BIN/rccecc" x.c -o
says 1 "--ircce '3.0': no such generation of iRCCE; there are 1.x and 2.0, and tm2c" "$BIN/rccecc" \
  --ircce 3.0 x.c
says 1 '-DRCCE_MAXNP is the most UEs of a job: give a whole number from 1 to 10000' "$BIN/rccecc" \
  -DRCCE_MAXNP=0 x.c -o x
says 1 "--rwth with --rcce 2.0: RWTH's RCCE is a 1.0" "$BIN/rccecc" --rwth --rcce 2.0 x.c
says 1 "-o '': takes the name of a file" "$BIN/rccecc" x.c -o ''
says 1 "'folder' is a folder; name its files" "$BIN/rccecc" folder -o x
says 1 "'': an empty word is no file's name" "$BIN/rccecc" '' -o x
says 1 "@folder" "$BIN/rccecc" @folder -o x
says 1 "--cc 'nocc': there is no program 'nocc'; --cc takes clang, gcc or a path" "$BIN/rccecc" --cc nocc x.c
printf '#!/bin/sh\ncase $* in *-print-file-name=*) echo Scrt1.o ;; *) exit 1 ;; esac\n' >gcc && chmod +x gcc
says 1 "'./gcc' finds no C library to compile for; install its headers (Debian, Ubuntu: apt install libc6" \
  "$BIN/rccecc" --cc ./gcc x.c
says 1 "-o 'x' with -c or -S and 2 sources" "$BIN/rccecc" -c x.c x.c -o x
says 1 "-lrockcreek_algorithms is asked for by a program with the gory interface" \
  "$BIN/rccecc" -DGORY x.c -lrockcreek_algorithms -o x
says 1 "missing.c" "$BIN/rccecc" missing.c -o x
says 1 "cannot open output file /no/such/folder/x" "$BIN/rccecc" x.c -o /no/such/folder/x
mkdir -p lonely/bin && cp "$BIN/rccecc" lonely/bin/rccecc
says 1 'installation is incomplete: no' env LD_LIBRARY_PATH="$BUILD/lib" lonely/bin/rccecc x.c -o x

# rccebench
file one '3\n'
file two '3\n4\n'
bench() { # bench STATUS TEXT WORD...
  status=$1 text=$2
  shift 2
  says "$status" "$text" "$BIN/rccebench" "$@"
}
bench 2 'rccebench compare --with mine.c'
bench 2 "there is no command 'bcats', did you mean 'bcast'?; there are pingpong, " bcats
bench 2 "no option '--hlep'; did you mean '--help'?; options of a command follow its name: there are \
pingpong, " --hlep
for command in pingpong validate cost bcast barrier reduce allreduce compare tune scaling thesis; do
  bench 2 "rccebench $command: no option '--formt'; did you mean '--format'? (rccebench $command --help \
lists all)" $command --formt csv
  bench 2 "rccebench $command: no option '--formt'; did you mean '--format'?" $command --formt=csv
  bench 2 "rccebench $command: 'csv' is not an option, nor the value of one (rccebench $command --help lists \
all)" $command csv
done
bench 2 "rccebench bcast: no option '--fan-ot'; did you mean '--fan-out'?" bcast --fan-ot 2
bench 2 "rccebench bcast: no option '--digest'" bcast --digest
bench 2 "rccebench bcast: option --cores needs a value (rccebench" bcast --cores
bench 2 "option --study needs a value: rows|model|map|noise|crossover (" reduce --machine alc --study
bench 2 "rccebench bcast: option --cores is given several times" bcast --cores 4 --cores 5
bench 2 "--format: 'xml' is none of table, csv, json, markdown, latex" bcast --format xml
bench 2 "--root: 'x' is not a whole number" bcast --root x
bench 2 "--root: -1 is out of range 0..9999" bcast --root=-1
bench 2 "more than 2048 cores take --set tile.mpb_bytes=32768" bcast --cores 2050 --set mesh.columns=41 \
  --set mesh.rows=25
bench 2 "10001 cores is out of range 1..10000" bcast --cores 10001
bench 2 "--copies: 'plan' is none of own, plain, prefetching; did you mean 'plain'?" bcast --copies plan
bench 2 "--payload: 'non' is none of moved, none; did you mean 'none'?" bcast --payload non
bench 2 "--payload none: machine 'xeon-phi-5110p' has no message buffers" bcast --machine xeon-phi-5110p \
  --payload none
bench 2 "--payload none: machine 'alc' has no message buffers" reduce --machine alc --payload none
bench 2 "rccebench barrier: no option '--payload'" barrier --payload none
bench 2 "Could not find or read hostfile 'none'" bcast -f none
bench 2 "5 asked for, 2 listed in hostfile 'two'" bcast -f two --cores 5
bench 2 "a pair needs two cores, and it lists 1" pingpong -f one
bench 2 "'/no/such/folder/x': no file can be written in '/no/such/folder'" bcast \
  --statistics=/no/such/folder/x
bench 2 "--set mesh.columns=0: columns = 0 is out of range" compare --set mesh.columns=6,0
bench 2 "the table of \`auto\` is of one machine" tune --store stored --set mesh.router_cycles=2,4
bench 2 "--bytes 7: no whole number of elements" search reduce --cores 5 --bytes 7 --tries 3
bench 2 "the variants of the thesis differ in this" thesis --quick --set dram.frames=random
bench 2 "machine 'sxc' is neither a preset" bcast --machine sxc
bench 2 "xeon-x5650, alc, alc-fitted, cluster-modern) nor a readable file" validate --machine nonsuch
bench 2 "unknown name 'modifed' in [load]; did you mean 'modified'?" validate --machine opteron-6172 \
  --set load.modifed=1
bench 2 '--format' bcast --format xml
bench 2 "'/no/such/folder/x': no file can be written in '/no/such/folder'" bcast -o /no/such/folder/x
bench 2 "takes the name of a file" bcast -o ''
bench 2 "--algorithms 'cub': there is no 'cub', did you mean 'bcast/cube'?" bcast --algorithms cub
bench 2 "--cores '49': 49 cores are out of range 1..48 of machine 'scc'" bcast --cores 49
bench 2 "--cores '0': 0 cores is out of range" bcast --cores 0
bench 2 "--stages '0': 0 is out of range 1..65536" bcast --stages 0
bench 2 "--cores 'x': 'x' is not a whole number" bcast --cores x
bench 2 "range '2-4' has no step; write FIRST-LAST:STEP" bcast --cores 2-4
bench 2 "'-4' is not a whole number" bcast --sizes -4
bench 2 "step '0' never reaches the end" bcast --cores 2-4:0
bench 2 "step 'x1' never reaches the end" bcast --sizes 2-4:x1
bench 2 "range '4-2:1' is empty: write the smaller end first" bcast --cores 4-2:1
bench 2 "--sizes '99999999999': 99999999999 bytes is out of range" bcast --sizes 99999999999
bench 2 "--root 4: out of range 0..3 of the ranks on 4 cores" bcast --cores 4 --root 4
bench 2 '--root' bcast --root=-1
bench 2 '--fan-out' bcast --fan-out 0
bench 2 '--stages' bcast --stages 0
bench 2 '--line-order' bcast --line-order star
bench 2 '--copies' bcast --copies fast
bench 2 '--warm-up' bcast --warm-up 61
bench 2 '--repetitions' bcast --repetitions 0
bench 2 '--jobs' bcast --jobs 100000
bench 2 '--rcce' bcast --rcce 3.0
bench 2 "--meshes '8': '8' is no mesh; write COLUMNSxROWS" scaling --meshes 8
bench 2 "--meshes '0x8': '0x8': columns and rows are out of range 1..100" scaling --meshes 0x8
bench 2 "the benchmark's program takes 10000" scaling --meshes 100x64
bench 2 "more than 2048 cores take --set tile.mpb_bytes=32768" scaling --meshes 64x64
bench 2 "use --meshes none" scaling --rcce 1.0
bench 2 "--cores '10001': 10001 cores is out of range 1..10000" cost --cores 10001
bench 2 "--cores: the value is empty" cost --cores ''
bench 2 "--sizes '0': 0 bytes is out of range" cost --sizes 0
bench 2 "--algorithms 'cub': there is no 'cub', did you mean 'bcast/cube'?" cost --algorithms cub
bench 2 "there is no 'binomial'; there are bcast/binomial, gather/binomial, scatter/binomial" cost \
  --machine x4600 --algorithms binomial
bench 2 'sizes excludes --program' cost --program "$wrong no-init" --sizes 32
bench 2 "--program: the value is empty" cost --program ' '
bench 2 "program './missing' cannot be opened: No such file" cost --program ./missing --cores 2
bench 2 "core 48 is out of range 0..47" cost --program "$wrong no-init" --cores 49
bench 1 "ended with status 139" cost --program "$wrong null-write" --cores 2 --runs 1
bench 2 '--runs' cost --runs 0
bench 2 "--pairs '0': '0' is not a pair of cores; write FROM:TO" pingpong --pairs 0
bench 2 "core 48 is out of range 0..47 of this machine" pingpong --pairs 0:48
bench 2 "core 3 cannot play with itself" pingpong --pairs 3:3
bench 2 '--variant' pingpong --variant spin
file machine '[mesh]\ncolumns = 2\n'
bench 2 "the published figures need the 48 of the SCC" validate --machine machine
bench 2 "--figures '/dev/null/x': this folder cannot be made" thesis --figures /dev/null/x

bench 2 "-o '/dev/full': cannot be written: No space left on device; choose another place" pingpong \
  --sizes 32 --pairs 0:1 -o /dev/full

# Answers on standard output that cannot be written.
for command in 'rccerun --help' 'rccerun --version' 'rccerun --print-machine' 'rccecc --help' \
  'rccecc --show-root' \
  'rccebench --help' 'rccebench --version' 'rccebench bcast --help' \
  'rccebench pingpong --sizes 32 --pairs 0:1'; do
  "$BIN/${command%% *}" ${command#* } >/dev/full 2>err
  status=$?
  { [ $status -ne 0 ] && grep -q 'No space left' err; } ||
    { echo "$command >/dev/full: status $status"; cat err; failed=1; }
done
# Words are told without what acts on a terminal or looks like another line.
escape=$(printf 'a\033[2Jb') lines=$(printf 'a\nrccerun: all is well')
for command in 'rccerun -nue 2' 'rccerun -nue 2 --machine' 'rccerun -nue 2 --set' 'rccerun -nue 2 --engine' \
  'rccecc --cc' 'rccebench bcast --algorithms' \
  rccebench 'rccebench bcast --machine' rcceinfo; do
  for word in "$escape" "$lines" "x=$lines" "--x$escape"; do
    "$BIN/${command%% *}" ${command#"${command%% *}"} "$word" >out 2>err
    if grep -q "$(printf '\033')" out err || grep -q '^rccerun: all is well' err; then
      echo "$command with control characters prints them"
      cat -v err
      failed=1
    fi
  done
done
printf '[machine]\nkind = scc\n' >"$escape.machine"
"$BIN/rccebench" pingpong --sizes 32 --pairs 0:1 --machine "./$escape.machine" >out 2>err
if grep -q "$(printf '\033')" out err || ! grep -q 'a?\[2Jb' out; then
  echo "the name of a machine is printed as it is"
  cat -v out err
  failed=1
fi
# The status stays the same where nobody can be told.
for stream in /dev/full closed; do
  for command in '2 rccerun -nue 0 x' '1 rccecc --rcce 3 x.c' '2 rccebench bcats' \
    '2 rccebench bcast --cores 49' "139 rccerun -nue 2 $wrong null-write"; do
    expected=${command%% *} words=${command#* }
    if [ $stream = closed ]; then "$BIN/${words%% *}" ${words#* } 2>&- >/dev/null
      else "$BIN/${words%% *}" ${words#* } 2>$stream >/dev/null; fi
    status=$?
    [ $status -eq $expected ] ||
      { echo "$words, standard error $stream: status $status, expected $expected"; failed=1; }
  done
done
[ $failed -ne 0 ] || echo "$rows mistakes, each with its message and status"
exit $failed
