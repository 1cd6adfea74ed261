#!/bin/sh
# keepalived runs this when the address has come or gone: TYPE NAME STATE PRIORITY. The engine notices the address by itself;
# this reports when the edge takes calls at it.
set -u
state="${3:-}"
ready="${READY_URL:-http://127.0.0.1:8081/readyz}"

report() {
  logger -t demarc -p "daemon.$1" "$2" 2>/dev/null
  echo "$2"
}

if [ "$state" != MASTER ]; then
  report notice "This machine does not have the address ($state)."
  exit 0
fi
attempts=100
while [ "$attempts" -gt 0 ]; do
  if curl -sf -m 1 -o /dev/null "$ready"; then
    report notice "This machine has the address, and its edge takes calls."
    exit 0
  fi
  attempts=$((attempts - 1))
  sleep 0.1
done
report err "This machine has the address, but its edge is not ready: $ready"
exit 1
