# The predictions of the algorithms' model beside the simulation, on a grid: no broadcast further off than 15 %, half of
# them within 3 %; barriers within 25 %; and what is predicted to be the fastest takes at most 5 % more than the fastest.
set -e
"$BIN/rccebench" compare --cores 2,5,12,48 --sizes 32,1000,8192,100000,524288 --format csv -o "$WORK/bcast.csv"
"$BIN/rccebench" barrier --cores 2,12,48 --format csv -o "$WORK/barrier.csv"
check() {
  awk -F, -v operation="$1" -v most="$2" -v middle="$3" '
    /^#/ { next }
    !head { for (i = 1; i <= NF; ++i) column[$i] = i; head = 1; next }
    {
      simulated = $column["simulated_us_max"]; predicted = $column["predicted_us"]
      if (predicted == "") { print $column["algorithm"] " has no prediction"; bad = 1; next }
      error = predicted / simulated - 1; if (error < 0) error = -error
      ++points; if (error <= middle) ++close_by
      if (error > most) { printf "%s, %d UEs, %d bytes: %.2f us predicted, %.2f simulated\n", $column["algorithm"], $column["cores"],
        $column["bytes"], predicted, simulated; bad = 1 }
      point = $column["cores"] " UEs, " $column["bytes"] " bytes"
      if (!(point in least) || predicted + 0 < least[point]) { least[point] = predicted + 0; taken[point] = simulated }
      if (!(point in best) || simulated + 0 < best[point]) best[point] = simulated + 0
    }
    END {
      if (points == 0) { print "no points"; exit 1 }
      if (2 * close_by < points) { printf "only %d of %d points within %g\n", close_by, points, middle; bad = 1 }
      for (point in best) if (operation == "bcast" && taken[point] > 1.05 * best[point]) {
        printf "%s: the choice takes %.2f us, the best %.2f\n", point, taken[point], best[point]; bad = 1 }
      exit bad
    }' "$4"
}
check bcast 0.15 0.03 "$WORK/bcast.csv"
check barrier 0.25 0.12 "$WORK/barrier.csv"
