#!/bin/bash
# Healthy: answers a ping of the ng protocol. bash, because the image has no other UDP client; dd reads a datagram as a whole.
set -euo pipefail
exec 3<>"/dev/udp/${RTPENGINE_NG_LISTEN:-127.0.0.1}/${RTPENGINE_NG_PORT:-22222}"
printf 'health d7:command4:pinge' >&3
answer=$(timeout 2 dd bs=512 count=1 status=none <&3)
[[ $answer == *'6:result4:pong'* ]]
