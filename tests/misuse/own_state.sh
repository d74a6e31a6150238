# SPDX-License-Identifier: Apache-2.0
# Each UE has the directory, the locale, the zone, ... that it has chosen, on both engines and with both
# loaders; the run leaves its own directory as it was.
failed=0
umask 022
export TZ=UTC0
unset LANG LC_ALL LC_CTYPE
for words in "--engine sim" "--engine threads"; do
  for loading in dlopen clone; do
    rm -rf here && mkdir here && cd here || exit 1
    timeout -k 5 60 "$BIN/rccerun" -nue 4 $words --loading $loading "$PROGRAMS/own_state" >../out 2>../err
    status=$?
    cd ..
    # Some containers let no thread have a directory of its own; a run on threads is told so.
    grep -q 'called chdir(): refused, because the host gives this thread no working directory' err && continue
    [ $status -eq 0 ] || { echo "$words $loading: status $status"; cat out err; failed=1; }
    grep FAILED out && failed=1
    for word in setrlimit nice chroot setgid unshare prctl; do
      grep -q "called $word(): refused, because a UE lives in a process of the runtime's" err ||
        { echo "$words $loading: $word is not refused"; failed=1; }
    done
    [ "$(cd here && echo *)" = 'dir0 dir1 dir2' ] ||
      { echo "$words $loading: left behind: $(cd here && find .)"; failed=1; }
  done
  # The place of a crash is found from anywhere.
  ln -sf "$PROGRAMS/own_state" own_state
  "$BIN/rccerun" -nue 2 $words ./own_state crash >out 2>err
  grep -q 'rank 1 .*crashed' err && grep -q 'own_state.cpp:' err ||
    { echo "$words: no place of the crash:"; cat err; failed=1; }
done
# So has each the standard streams.
printf '12 word\nrest of the line\nw' >in
for words in "--engine sim" "--engine threads"; do
  for loading in dlopen clone; do
    "$BIN/rccerun" -nue 3 $words --loading $loading "$PROGRAMS/own_state" streams <in >out 2>err &&
      [ "$(grep -cFx "prints 1.5" out)" -eq 2 ] && [ "$(grep -cFx "prints 1,5" out)" -eq 1 ] &&
      [ "$(grep -cFx "prints again 1.5" out)" -eq 3 ] && grep -qFx aaaa0.33 out && grep -qFx bbb0.333 out &&
      [ "$(grep -c "^wide [012]$" out)" -eq 3 ] && [ "$(grep -c "^rank [012] ok$" out)" -eq 3 ] &&
      ! grep FAILED out ||
      { echo "streams, $words $loading:"; cat out err; failed=1; }
  done
done
exit $failed
