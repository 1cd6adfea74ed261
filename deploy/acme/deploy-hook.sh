#!/bin/sh
# Deploy hook of certbot: copy it to /etc/letsencrypt/renewal-hooks/deploy/demarc.sh. certbot runs it after each renewal with RENEWED_LINEAGE, the
# folder of the new files. For lego and acme.sh, set RENEWED_LINEAGE to a folder with fullchain.pem and privkey.pem.
# TLS_CERT and TLS_KEY: the files that the engine reads. TLS_GROUP: the group that may read them, by name or number.
# The engine reads both files again within seconds; calls and connections continue.
set -eu
: "${RENEWED_LINEAGE:?folder with fullchain.pem and privkey.pem}"
cert=${TLS_CERT:-/etc/demarc/tls/server.crt}
key=${TLS_KEY:-/etc/demarc/tls/server.key}
group=${TLS_GROUP:-demarc}
# Written beside and renamed, so that the engine never reads half a file.
install -m 640 -g "$group" "$RENEWED_LINEAGE/privkey.pem" "$key.new"
install -m 640 -g "$group" "$RENEWED_LINEAGE/fullchain.pem" "$cert.new"
mv -f "$key.new" "$key"
mv -f "$cert.new" "$cert"
