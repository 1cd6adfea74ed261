#!/bin/bash
# Fills drachtio.conf.xml from the environment and starts drachtio-server with it. The secret stays out of the command line.
set -euo pipefail
: "${LOCAL_ADDRESS:?an address of this machine}"
: "${DRACHTIO_SECRET:?the secret that the edge connects with}"
PUBLIC_ADDRESS=${PUBLIC_ADDRESS:-$LOCAL_ADDRESS}
template=${CONFIG_TEMPLATE:-/etc/demarc/drachtio.conf.xml.template}
# The environment variable would otherwise override the file.
SECRET=$DRACHTIO_SECRET
unset DRACHTIO_SECRET
umask 077
configuration=$(mktemp -d)/drachtio.conf.xml

# Escape for XML first, then for sed.
escape() {
  printf %s "$1" | sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/"/\&quot;/g' -e 's/[\\&|]/\\&/g'
}

fill=()
set_value() { fill+=(-e "s|@$1@|$(escape "$2")|g"); }
set_value SECRET "$SECRET"
set_value LOCAL_ADDRESS "$LOCAL_ADDRESS"
set_value PUBLIC_ADDRESS "$PUBLIC_ADDRESS"
set_value ADMIN_PORT "${ADMIN_PORT:-9022}"
set_value TLS_PORT "${TLS_PORT:-5061}"
set_value AGENT_ADDRESS "${AGENT_ADDRESS:-$LOCAL_ADDRESS}"
set_value AGENT_SIDE_PORT "${AGENT_SIDE_PORT:-5070}"
set_value HEP_PORT "${HEP_PORT:-9060}"
set_value METRICS_PORT "${METRICS_PORT:-9099}"
set_value TLS_KEY "${TLS_KEY:-/etc/demarc/tls/server.key}"
set_value TLS_CERT "${TLS_CERT:-/etc/demarc/tls/server.crt}"
# All three files are required; a server certificate without intermediates is its own chain.
set_value TLS_CHAIN "${TLS_CHAIN:-${TLS_CERT:-/etc/demarc/tls/server.crt}}"

sed "${fill[@]}" "$template" >"$configuration"
exec "${DRACHTIO_BINARY:-drachtio}" -f "$configuration"
