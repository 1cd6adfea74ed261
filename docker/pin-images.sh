#!/bin/sh
# Prints NAME=image@digest for each image that is not built here, for .env: `docker/pin-images.sh >> .env`. --list prints the names alone and
# asks no registry.
set -eu
cd "$(dirname "$0")/.."
images() {
  sed -n 's/^ARG \([A-Z_]*\)=\([^ ]*:[^ ]*\)$/\1 \2/p' docker/*.Dockerfile
  sed -n 's/.*image: \${\([A-Z_]*\):-\([^}]*:[^}]*\)}.*/\1 \2/p' docker-compose.yml
}
if [ "${1:-}" = --list ]; then
  images | sort -u
  exit
fi
images | sort -u | while read -r name image; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  echo "$name=$image@$digest"
done
