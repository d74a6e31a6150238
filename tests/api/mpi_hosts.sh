#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --engine mpi on two hosts: two network namespaces of this one, with names and addresses of their own, which
# only TCP joins. Status 77 where namespaces cannot be made (that takes root), or the build's MPI is not Open
# MPI, whose launcher is told how to reach a host: MPICH 4.0 of Debian 12 (over UCX) comes through the runs,
# but now and then waits for ever in MPI_Finalize.
set -eu
skip() {
  echo "skipped: $*"
  exit 77
}
for tool in ip unshare; do command -v $tool >/dev/null || skip "no $tool (Debian: iproute2, util-linux)"; done
ldd "$BIN/../lib/rockcreek/librcce_mpi.so" | grep -q libmpi.so || skip "this build's MPI is not Open MPI"
name=rk$$
undo() {
  for host in 2 3; do ip netns delete $name.$host 2>/dev/null || true; done
  ip link delete $name 2>/dev/null || true
}
trap undo EXIT
{
  ip link add $name type bridge && ip address add 10.77.0.1/24 dev $name && ip link set $name up
  for host in 2 3; do
    ip netns add $name.$host && ip link add $name.$host type veth peer name eth0 netns $name.$host &&
      ip link set $name.$host master $name up && ip -n $name.$host address add 10.77.0.$host/24 dev eth0 &&
      ip -n $name.$host link set eth0 up && ip -n $name.$host link set lo up
  done
} 2>err || skip "no network namespaces: $(head -n 1 err)"
cat >reach <<END
#!/bin/sh
host=\${1##*.}
shift
exec ip netns exec $name.\$host unshare --uts sh -c "hostname host\$host; \$*"
END
chmod +x reach
hosts="-H 10.77.0.2:3,10.77.0.3:3 --mca plm_rsh_agent $WORK/reach --mca btl tcp,self --mca \
btl_tcp_if_include 10.77.0.0/24"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
failed=0
# expect STATUS TEXT UES PROGRAM WORDS...: in what the run prints
expect() {
  wanted=$1 text=$2 ues=$3
  shift 3
  status=0
  "$BIN/rccerun" --engine mpi --launcher-args "$hosts --mca oob_tcp_if_include 10.77.0.0/24" --timeout 30 \
    -nue "$ues" "$@" >out 2>&1 || status=$?
  [ $status -eq "$wanted" ] && grep -q -- "$text" out ||
    { echo "$*: status $status, wanted $wanted and '$text'"; cat out; failed=1; }
}
expect 0 'rank 4: sum 1499500.0, expected 1499500.0' 5 "$PROGRAMS/ring_shift" 3 1000
expect 0 'rank 5 ok' 6 "$PROGRAMS/api_send_recv_plain"
expect 0 'rank 5 ok' 6 "$PROGRAMS/api_algorithms_bcast_2.0" bcast/mcast
expect 121 'cycle: rank 0 -> 1 -> 0' 2 "$PROGRAMS/wrong" both-send
# Whoever sees first that the other host is gone decides on the status.
wrong=0
"$BIN/rccerun" --engine mpi --launcher-args "$hosts --mca oob_tcp_if_include 10.77.0.0/24" --timeout 30 \
  -nue 6 "$PROGRAMS/crash" store >out 2>&1 || wrong=$?
[ $wrong -ne 0 ] && grep -q 'rank 1 (core 01, tile 0) crashed' out ||
  { echo "a crash: status $wrong"; cat out; failed=1; }
exit $failed
