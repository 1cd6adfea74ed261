#!/bin/sh
# Media in user space; with RTPENGINE_TABLE=0 in the kernel, where its module is loaded. LOCAL_ADDRESS is an address of this machine, PUBLIC_ADDRESS the one in SDP (the same unless behind NAT).
# RTPENGINE_NG_LISTEN: where edges send commands, without a password and with SRTP keys: loopback, a private network or WireGuard only.
set -eu
: "${LOCAL_ADDRESS:?an address of this machine}"
: "${PUBLIC_ADDRESS:=$LOCAL_ADDRESS}"
# --config-file=none: the packaged configuration opens additional listeners.
# --mos=LQ: MOS from the first RTCP report; otherwise only once the round trip to both ends is known.
# --offer-timeout: longer than any call rings; by default the ports of a call whose edge died during call setup would be kept for an hour.
# Errors only: warnings of the control subsystem quote whole commands, including SRTP keys.
# One thread a core: the default of at least four costs a tenth more on fewer cores.
# From release 26 on, quiet noise takes the place of packets that are 30 ms late where codecs are converted: docs/decisions/rtpengine-transcoding.md
conversion=
case $(rtpengine --version 2>&1) in
  *"Version: "[0-9].* | *"Version: "1[0-9].* | *"Version: "2[0-5].*) ;;
  *"Version: "*) conversion="--dtx-delay=30 --dtx-cn-params=80" ;;
esac
# shellcheck disable=SC2086 # two options
exec rtpengine --config-file=none --foreground --log-stderr --log-level="${RTPENGINE_LOG_LEVEL:-5}" --log-level-control=3 --table="${RTPENGINE_TABLE:--1}" \
  --interface="$LOCAL_ADDRESS!$PUBLIC_ADDRESS" --listen-ng="${RTPENGINE_NG_LISTEN:-127.0.0.1}:${RTPENGINE_NG_PORT:-22222}" \
  --port-min="${RTP_PORT_MIN:-10000}" --port-max="${RTP_PORT_MAX:-20000}" --tos=184 --mos=LQ --offer-timeout=600 \
  --num-threads="${RTPENGINE_THREADS:-$(nproc)}" $conversion
