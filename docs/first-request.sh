#!/usr/bin/env bash
#
# Measures the first sign-up of a user through the gateway right after a start of everything,
# with and without the warm-up, by turns, each time with fresh processes:
#
#   docs/first-request.sh [ROUNDS]     (default 5; a round takes about 2 minutes)
#
# "steady" is the median of 200 sign-ups that follow a warmed start's 2000. Each sign-up uses a
# connection of its own. Environment: as for ./stack.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
rounds=${1:-5}
export STACK_HOME=${STACK_HOME:-$root/target/first-request}
mkdir -p "$STACK_HOME"

finish() {
  local status=$?
  trap '' INT TERM
  "$root/stack" down >/dev/null || true
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

up() { # up ENABLED
  WARMUP_ENABLED=$1 "$root/stack" up --detach >"$STACK_HOME/up.log" 2>&1 || {
    cat "$STACK_HOME/up.log" >&2
    exit 1
  }
  entrance=$("$root/stack" status | sed -n 's/^users enter at //p')
}

sign_ups() { # sign_ups N: the seconds that each took
  local i
  for ((i = 0; i < $1; i++)); do
    curl -fsS -o /dev/null -w '%{time_total}\n' --noproxy '*' --max-time 60 -H 'Content-Type: application/json' \
      -d "{\"email\": \"user-$RANDOM-$i-$(date +%N)@example.org\", \"name\": \"User\"}" "${entrance}users"
  done
}

millis() { # of the seconds read: lowest, median, highest
  sort -n | awk '{ t[NR] = $1 * 1000 } END { printf "median %.1f ms [%.1f-%.1f], n=%d\n", t[int((NR + 1) / 2)], t[1], t[NR], NR }'
}

for ((round = 1; round <= rounds; round++)); do
  up false
  sign_ups 1 >>"$STACK_HOME/cold.$$"
  "$root/stack" down >/dev/null
  up true
  sign_ups 1 >>"$STACK_HOME/warm.$$"
  if [ "$round" -eq "$rounds" ]; then
    sign_ups 2000 >/dev/null
    sign_ups 200 >"$STACK_HOME/steady.$$"
  fi
  "$root/stack" down >/dev/null
  printf 'round %d: without %s s, with %s s\n' "$round" "$(tail -n 1 "$STACK_HOME/cold.$$")" \
    "$(tail -n 1 "$STACK_HOME/warm.$$")"
done
printf 'first sign-up, WARMUP_ENABLED=false: %s\n' "$(millis <"$STACK_HOME/cold.$$")"
printf 'first sign-up, warmed:               %s\n' "$(millis <"$STACK_HOME/warm.$$")"
printf 'steady:                              %s\n' "$(millis <"$STACK_HOME/steady.$$")"
rm -f "$STACK_HOME/cold.$$" "$STACK_HOME/warm.$$" "$STACK_HOME/steady.$$"
