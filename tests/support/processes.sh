# SPDX-License-Identifier: Apache-2.0
# What scripts wait for in a process that they are about to signal: no sleep is long enough on a busy host.
# Each ends when the process does; whoever waits for something that never comes is ended by the test's time
# limit.

# handles PID SIGNAL...: until the process handles the signals
handles() {
  handles_pid=$1
  shift
  for handles_signal; do
    case $handles_signal in
      HUP) handles_bit=1 ;; INT) handles_bit=2 ;; QUIT) handles_bit=4 ;;
      USR1) handles_bit=512 ;; TERM) handles_bit=16384 ;;
    esac
    # SigCgt of /proc: a mask in hexadecimal, whose last eight digits hold the first 32 signals.
    while kill -0 "$handles_pid" 2>/dev/null &&
      handles_mask=$(sed -n 's/^SigCgt:.*\(........\)$/\1/p' "/proc/$handles_pid/status" 2>/dev/null) &&
      [ $((0x${handles_mask:-0} & handles_bit)) -eq 0 ]; do
      sleep 0.01
    done
  done
}

# says PID FILE TEXT: until the file holds the text
says() {
  while ! grep -q "$3" "$2" 2>/dev/null && kill -0 "$1" 2>/dev/null; do sleep 0.02; done
}

# computes PID TICKS: until the process has used so many more ticks of 10 ms of processor time, all threads
# together
computes() {
  computes_begin=$(used "$1")
  while kill -0 "$1" 2>/dev/null && [ $(($(used "$1") - computes_begin)) -lt "$2" ]; do sleep 0.01; done
}
used() {
  # Behind the name, which may hold blanks: utime is the twelfth field, stime the thirteenth.
  sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | { read -r _ _ _ _ _ _ _ _ _ _ _ user system _ ||
    user=0 system=0; echo $((user + system)); }
}

# settles PID RUNNING: until at most so many of its threads run or want to, at five looks in a row. One that
# the host keeps waiting for a processor wants to.
settles() {
  settles_looks=0
  while kill -0 "$1" 2>/dev/null && [ $settles_looks -lt 5 ]; do
    sleep 0.02
    # Behind the name: the state.
    if [ "$(sed 's/.*) //' "/proc/$1/task"/*/stat 2>/dev/null | grep -c '^[RD]')" -le "$2" ]; then
      settles_looks=$((settles_looks + 1))
    else
      settles_looks=0
    fi
  done
}

# began PID: until rccebench computes its sweep. Before it runs a job of its own, which handles signals and
# gives back what it found: that a shell's background processes ignore INT.
began() {
  handles "$1" INT
  computes "$1" 60
}
