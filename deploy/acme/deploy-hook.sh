#!/bin/sh
# Deploy hook of ACME clients: puts a renewed certificate where Demarc reads it. Engine and control load it within seconds; calls and connections stay.
# certbot: copy it to /etc/letsencrypt/renewal-hooks/deploy/demarc.sh (certbot sets RENEWED_LINEAGE).
# lego: --run-hook and --renew-hook (lego sets LEGO_CERT_PATH and LEGO_CERT_KEY_PATH).
# Other clients: set RENEWED_LINEAGE to a folder with fullchain.pem and privkey.pem.
# TLS_CERT and TLS_KEY: the files that the engine or control reads. TLS_GROUP: the group that may read them, by name or number.
set -eu
cert=${TLS_CERT:-/etc/demarc/tls/server.crt}
key=${TLS_KEY:-/etc/demarc/tls/server.key}
group=${TLS_GROUP:-demarc}
if [ -n "${LEGO_CERT_PATH:-}" ]; then
  new_cert=$LEGO_CERT_PATH
  new_key=$LEGO_CERT_KEY_PATH
else
  : "${RENEWED_LINEAGE:?folder with fullchain.pem and privkey.pem}"
  new_cert=$RENEWED_LINEAGE/fullchain.pem
  new_key=$RENEWED_LINEAGE/privkey.pem
fi

refuse() {
  echo "demarc deploy hook: $1; $cert and $key stay as they are." >&2
  exit 1
}
# Demarc refuses such a pair as well, but after its next restart it would have no certificate.
if command -v openssl >/dev/null; then
  of_cert=$(openssl x509 -in "$new_cert" -noout -pubkey) || refuse "$new_cert is no certificate"
  # An empty passphrase, because openssl would ask for one.
  of_key=$(openssl pkey -in "$new_key" -pubout -passin pass:) || refuse "$new_key is no private key without a passphrase"
  [ "$of_cert" = "$of_key" ] || refuse "$new_key is not the key of $new_cert"
  openssl x509 -in "$new_cert" -noout -checkend 0 >/dev/null || refuse "$new_cert has expired"
fi

# Written beside and renamed, so that no process reads half a file.
install -m 640 -g "$group" "$new_key" "$key.new"
install -m 640 -g "$group" "$new_cert" "$cert.new"
mv -f "$key.new" "$key"
mv -f "$cert.new" "$cert"
