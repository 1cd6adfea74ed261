#!/bin/sh
# The embedded SIP engine. LOCAL_ADDRESS is an address of this machine, PUBLIC_ADDRESS the one in SIP messages (the same unless behind NAT).
# AGENT_ADDRESS is what agents on other machines reach, default LOCAL_ADDRESS: a listener on loopback could not call them.
# DEMARC_ENGINE_SECRET is what the edges authenticate with.
set -eu
: "${LOCAL_ADDRESS:?an address of this machine}"
: "${PUBLIC_ADDRESS:=}"
# Internal: agents get this address also where trunks get PUBLIC_ADDRESS.
agents="${AGENT_ADDRESS:-$LOCAL_ADDRESS}:${AGENT_SIDE_PORT:-5070},internal"
# --restore-seconds: after a restart the edges give it their calls.
exec node --no-parallel-scavenge --max-semi-space-size=8 --heap-growing-percent=200 --no-memory-reducer "${DEMARC_PROGRAM:-/opt/demarc/dist/cli.js}" engine \
  --admin "127.0.0.1:${ADMIN_PORT:-9022}" --metrics "${METRICS_LISTEN:-127.0.0.1}:${METRICS_PORT:-9099}" --restore-seconds 3 \
  --tls "$LOCAL_ADDRESS:${TLS_PORT:-5061}" --tcp "$agents" --udp "$agents" \
  --cert "${TLS_CERT:-/etc/demarc/tls/server.crt}" --key "${TLS_KEY:-/etc/demarc/tls/server.key}" \
  ${PUBLIC_ADDRESS:+--external-ip "$PUBLIC_ADDRESS"}
