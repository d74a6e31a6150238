#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# machine --from a platform file of SimGrid: a cluster becomes nodes on a fat tree, whose times are counted by
# hand here; what a machine cannot be is refused by line, element and attribute.
set -eu
. "$SOURCE/tests/support/checks.sh"
# platform [ATTRIBUTE="VALUE"...]: 16 nodes with 1 GB/s and 1 us; a value given here replaces the usual one.
platform() {
  for usual in id=c prefix=n- suffix= radical=0-15 speed=1Gf bw=1GBps lat=1us; do
    case " $*" in *" ${usual%%=*}="*) continue ;; esac
    set -- "$@" "${usual%%=*}=\"${usual#*=}\""
  done
  printf '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
  printf '<platform version="4.1">\n<zone id="w" routing="Full">\n  <!-- one -->\n  <cluster %s/>\n' "$*"
  printf '</zone>\n</platform>\n'
}
refused() { # refused TEXT FILE [OPTION...]
  text=$1
  file=$2
  shift 2
  status=0
  "$BIN/../libexec/rockcreek/rccebench-machine" --from "$file" "$@" >out 2>err || status=$? # twice as fast
  [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] && grep -qF -e "$text" err ||
    fail "machine --from $file $*: status $status, $(cat out err)"
}
refused_cluster() { # refused_cluster TEXT ATTRIBUTE="VALUE"...
  text=$1
  shift
  platform "$@" >wrong.xml
  refused "$text" wrong.xml
  grep -q "'wrong.xml', line 6: <cluster> " err || fail "no line of wrong.xml: $(cat err)"
}
made() { # made NAME ATTRIBUTE="VALUE"...: NAME.machine, and what is told
  name=$1
  shift
  platform "$@" >"$name.xml"
  "$bench" machine --from "$name.xml" -o "$name.machine" >told || fail "$name: $(cat told)"
}
has() { # has FILE LINE...: lines as they begin
  file=$1
  shift
  for line in "$@"; do
    grep -q "^$line" "$file" || fail "$file: no '$line': $(cat "$file")"
  done
}
shows() { # shows NAME SWITCHES US: of 8 bytes
  "$bench" show --machine "$1.machine" | grep -q "^ *$2 *$3 " ||
    fail "$1: 8 bytes over $2 switches do not take $3 us: $("$bench" show --machine "$1.machine")"
}

# Two cables of 1 us, and 8 ns for 8 bytes. An allreduce: entry 0.3, barrier 2.516, and four rounds of send
# 0.202, latency 2 + 0.516, 8 bytes, take 0.286.
made flat
has flat.machine 'preset = cluster-modern # guess' 'nodes = 16 ' 'processors = 1 ' 'down = 16 ' \
  'bandwidth = 1000 # MB/s; \[platform\] bw' 'cable = 1000 ' 'wire = 2 ' 'latency = 2.516 ' 'daemons = 0 '
shows flat 1 2.008
has told '# nodes        16, below switches of 16 ports' '# processors   1 a node' \
  '# simulated    allreduce/recursive_doubling of 16 nodes takes 14.86 us'
[ "$(tail -n 1 told)" = '# left out     speed 1Gf' ] || fail "the last line: $(cat told)"

made backbone 'bb_bw="2.5GBps"' 'bb_lat="10us"' 'core="4"' 'radical="3,10-23;30"' 'loopback_bw="1GBps"' \
  'limiter_link="2GBps"' 'sharing_policy="FULLDUPLEX"' 'lat="500ns"' 'bw="8Gbps"'
has backbone.machine 'backbone = 2500 ' 'wire = 11 ' 'processors = 4 ' 'nodes = 16 ' 'bandwidth = 1000 '
shows backbone 1 11.008
[ "$(tail -n 1 told)" = '# left out     speed 1Gf; loopback_bw 1GBps; limiter_link 2GBps' ] ||
  fail "the last line: $(cat told)"
made wide 'bb_bw="1GBps"' 'bb_lat="10us"' 'bb_sharing_policy="FATPIPE"'
grep -q '^backbone' wide.machine && fail "a backbone that nobody waits for: $(cat wide.machine)"
has wide.machine 'wire = 12 '

# Fat trees: Zahavi's figure 1(b), and the same with a quarter of its cables up.
made tree 'topology="FAT_TREE"' 'topo_parameters="2;4,4;1,2;1,2"'
has tree.machine 'down = 4 4 ' 'up = 1 2 ' 'parallel = 1 2 ' 'cable = 1000 1000 ' 'wire = 4 '
shows tree 1 2.008
shows tree 3 4.008
made thin 'topology="FAT_TREE"' 'topo_parameters="2;4,4;1,1;1,1"'
made deep 'topology="FAT_TREE"' 'topo_parameters="3;2,2,4;1,2,2;1,1,1"' 'lat="0.33333333us"'
shows deep 5 2.008
us() { # us NAME: recursive doubling of 32,768 bytes
  "$bench" allreduce --machine "$1.machine" --algorithms recursive_doubling --elements 4096 --format csv |
    awk -F, '/^#/ { next } !at { for (at = 1; $at != "simulated_us_max"; at++); next } { print $at }'
}
# Two of four rounds leave the first switch, four messages at a time: three times 32.768 us more each; and the
# second of them finds its senders no longer together.
tree=$(us tree)
thin=$(us thin)
awk -v tree="$tree" -v thin="$thin" '
  BEGIN { exit !(thin > tree + 4 * 32.768 && thin < tree + 6.1 * 32.768) }' ||
  fail "a tree takes $tree us, with a quarter of its cables $thin"
for operation in allreduce bcast; do
  "$bench" $operation --machine tree.machine --sizes 8,32768 >out && grep -q 'compared: correct' out ||
    fail "the machine runs: $(cat out)"
done
"$bench" machine --from tree.xml >tree.again 2>err
cmp tree.machine tree.again || fail "the file on standard output is another one"

# A name cannot write lines of the machine file.
made injected 'id="c&#10;[noise]&#10;late = 7"'
grep -q '^late = 7' injected.machine && fail "a name with lines: $(cat injected.machine)"

refused_cluster ' topology="TORUS": read are FLAT, with or without a backbone, and FAT_TREE' \
  'topology="TORUS"' 'topo_parameters="4,4"'
refused_cluster ' topology="DRAGONFLY": read are' 'topology="DRAGONFLY"' 'topo_parameters="3,4;4,3;5,1;2"'
refused_cluster ' topo_parameters="2;4,4;1,2": it has four parts' 'topology="FAT_TREE"' \
  'topo_parameters="2;4,4;1,2"'
refused_cluster ': 1 numbers up of 2 levels' 'topology="FAT_TREE"' 'topo_parameters="2;4,4;1;1,2"'
refused_cluster ': it carries 12 nodes, and radical has 16' 'topology="FAT_TREE"' \
  'topo_parameters="2;4,3;1,2;1,2"'
refused_cluster ": '0' is no whole number" 'topology="FAT_TREE"' 'topo_parameters="2;4,4;1,0;1,2"'
refused_cluster ': it has 40000016 cables; a machine has 8388608 at most' 'topology="FAT_TREE"' \
  'topo_parameters="2;4,4;1,1000;1,10000"'
refused_cluster ' bb_bw="1GBps": a fat tree has no backbone' 'topology="FAT_TREE"' \
  'topo_parameters="2;4,4;1,2;1,2"' 'bb_bw="1GBps"'
refused_cluster ' sharing_policy="SHARED": cables here carry both ways at once' 'sharing_policy="SHARED"'
refused_cluster ' bb_sharing_policy="FATPIPE": a backbone here' 'bb_sharing_policy="FATPIPE"' 'bb_bw="9MBps"'
refused_cluster ' limiter_link="1.5GBps": a node here sends and receives' 'limiter_link="1.5GBps"'
refused_cluster ' bw="1GBs": a number with its unit is wanted' 'bw="1GBs"'
refused_cluster ' lat="soon": a number with its unit is wanted' 'lat="soon"'
refused_cluster ' lat="1s": latencies of cables here are up to 100 ms' 'lat="1s"'
refused_cluster " radical=\"0-x\": '0-x' is no number and no range" 'radical="0-x"'
refused_cluster ' radical="0-3,2": node 2 is in it twice' 'radical="0-3,2"'
refused_cluster ' radical="7": 1 nodes; a machine has 2 to 65536' 'radical="7"'
refused_cluster ' radical="0-65536": a machine has 65536 nodes at most' 'radical="0-65536"'
refused_cluster " core=\"0\": '0' is no whole number from 1 to 1024" 'core="0"'
refused_cluster ' has colour; read are' 'colour="red"'
for element in '<host id="h" speed="1Gf"/>' '<link id="h" bandwidth="1Bps"/>' '<cluster id="h"/>' \
  '<zoneRoute src="h" dst="c"/>' '<cabinet id="h"/>'; do
  platform | sed "s:^</zone>:  $element\n&:" >beside.xml
  kind=${element%% *}
  refused "'beside.xml', line 7: $kind " beside.xml
  grep -q 'one <cluster> in a <zone> is read, without hosts, links and routes beside it$' err ||
    fail "what is read: $(cat err)"
done
platform | sed '/cluster/d' >empty.xml
refused "'empty.xml' has no <cluster>" empty.xml
platform | sed 's/"4.1"/"3"/' >old.xml
refused "line 3: <platform version=\"3\">: read are versions 4 and 4.1" old.xml
platform | sed '6s:/>:>:' >open.xml
refused "line 7: mismatched tag; platform files are XML" open.xml
platform | sed 's/^<!DOCTYPE.*/<!DOCTYPE platform [<!ENTITY a "aa">]>/' >entity.xml
refused "line 2: entity 'a' is defined" entity.xml
refused "--half: it is of latencies between cores; 'flat.xml' is a platform. Leave it out" flat.xml --half
refused "--clock: it is of latencies" flat.xml --clock 2000
