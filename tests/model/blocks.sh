# SPDX-License-Identifier: Apache-2.0
# Are collectives in blocks what they are in their exact form? Over all broadcasts and reductions: the median
# within 0.01 %, 19 of 20 points within 0.2, 99 of 100 within 1, all within 2.5. Point-to-point figures within
# half a percent. Points that
# --sensitivity calls sensitive are listed apart: order of arrival or a polling loop makes some percent of any
# jitter there. WHOLE=1: all sizes and core counts, some minutes. LARGE=1: 256 and 512 cores instead, a
# quarter of an hour; there 99 of 100 points are within 5 %, not 1. By hand: LARGE=1 BIN=build/bin WORK=FOLDER
# sh tests/model/blocks.sh
set -eu
: >"$WORK/all.txt"
# grid COMMAND WORDS...: lines "difference in percent, command, algorithm, cores, bytes, words" of a sweep in
# both forms
grid() {
  command=$1
  shift
  for form in blocks exact; do
    "$BIN/rccebench" "$command" "$@" --granularity $form --format csv | awk -F, '
      /^#/ { next }
      !head { for (i = 1; i <= NF; ++i) column[$i] = i; head = 1; next }
      { print $column["algorithm"], $column["cores"], $column["bytes"], $column["simulated_us_max"] }' \
      >"$WORK/$form.txt"
  done
  shift 4 # --cores, --sizes and their values
  paste -d' ' "$WORK/blocks.txt" "$WORK/exact.txt" | awk -v command="$command" -v words="$*" '
    $1 != $5 || $2 != $6 || $3 != $7 { print "rows differ: " $0 >"/dev/stderr"; exit 1 }
    { print ($4 / $8 - 1) * 100, command, $1, $2, $3, words }' >>"$WORK/all.txt"
}

if [ -n "${LARGE:-}" ]; then
  for large in 16x8 16x16; do
    mesh="--set mesh.columns=${large%x*} --set mesh.rows=${large#*x}"
    cores=$((2 * ${large%x*} * ${large#*x}))
    grid bcast --cores $cores --sizes 32,1000,8192,60000,190000 $mesh
    grid reduce --cores $cores --sizes 8,1000,8192,65536 $mesh
    grid allreduce --cores $cores --sizes 8,1000,8192,65536 $mesh
  done
elif [ -z "${WHOLE:-}" ]; then
  grid bcast --cores 3,24,47 --sizes 1000,8192,32768,100000
  grid reduce --cores 3,12,48 --sizes 8192,20000
  grid allreduce --cores 12,48 --sizes 1000,8192
else
  grid bcast --cores 2,3,5,12,24,47,48 --sizes \
    32,1000,4096,5000,8192,20000,32768,60000,100000,190000,500000,700000
  grid reduce --cores 2,3,5,12,24,47,48 --sizes 8,1000,8192,20000,65536,190000
  grid allreduce --cores 2,3,5,12,24,47,48 --sizes 8,1000,8192,20000,65536,190000
fi

# Of points further away than 1 %: are they sensitive in one form or the other?
awk '{ e = $1 < 0 ? -$1 : $1 } e > 1' "$WORK/all.txt" >"$WORK/far.txt"
awk '{ e = $1 < 0 ? -$1 : $1 } e <= 1' "$WORK/all.txt" >"$WORK/near.txt"
: >"$WORK/sensitive.txt"
while read -r percent command algorithm cores bytes words; do
  for form in exact blocks; do
    # shellcheck disable=SC2086 # words of a command line
    moves=$("$BIN/rccebench" "$command" --algorithms "$algorithm" --cores "$cores" --sizes "$bytes" $words \
      --granularity $form \
      --sensitivity | sed -n 's/^# sensitive: .*+-\([0-9.]*\) %.*/\1/p')
    [ -z "$moves" ] || break
  done
  if [ -n "$moves" ]; then
    echo "$percent $algorithm $cores $bytes $moves" >>"$WORK/sensitive.txt"
  else
    echo "$percent $command $algorithm $cores $bytes $words" >>"$WORK/near.txt"
  fi
done <"$WORK/far.txt"
awk '{
  printf "sensitive: %s, %d cores, %d bytes: %+.2f %%, +-%.1f %% by the clock of the mesh alone\n", $2, $3,
      $4, $1, $5 }' "$WORK/sensitive.txt"

sensitive=$(wc -l <"$WORK/sensitive.txt")
limits="fewest=$([ -n "${WHOLE:-}" ] && echo 600 || echo 200) most_near=0.95 p99=1 worst=2.5"
[ -z "${LARGE:-}" ] || limits="fewest=150 most_near=0.9 p99=5 worst=5"
awk '{ print $1 < 0 ? -$1 : $1, $0 }' "$WORK/near.txt" | sort -g |
  awk -v sensitive="$sensitive" -v limits="$limits" '
  BEGIN { split(limits, each, "[ =]"); for (i = 1; i in each; i += 2) limit[each[i]] = each[i + 1] }
  { e[NR] = $1; at[NR] = $4 ", " $5 " cores, " $6 " bytes"; if ($1 <= 0.2) few++ }
  END {
    middle = e[int((NR + 1) / 2)]; most = e[int(NR * 0.99)]
    printf "%d points: median %.4f %%, %.1f %% of them within 0.2 %%, p99 %.3f %%, worst %.3f %%;
    %d sensitive\n",
      NR + sensitive, middle, few / NR * 100, most, e[NR], sensitive
    for (i = NR; i > NR - 5; --i) printf "  %.3f %%: %s\n", e[i], at[i]
    exit NR < limit["fewest"] || middle > 0.01 || few < NR * limit["most_near"] || most > limit["p99"] ||
    e[NR] > limit["worst"] || e[NR] == 0 || sensitive > NR / 20
  }'

"$BIN/rccebench" validate --format json -o "$WORK/validate.json"
sed -n '/"granularity"/,$p' "$WORK/validate.json" | awk '
  /worst_abs_difference_percent/ { gsub(/[^0-9.e-]/, "", $2); print "validate: worst " $2 " %";
  found = $2 + 0 <= 0.5 }
  END { exit !found }'
