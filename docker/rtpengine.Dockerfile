# Debian's own rtpengine: the version that Demarc's tests run against.
# To pin the base, give a digest: docs/production.md.
ARG DEBIAN_IMAGE=debian:bookworm-slim
FROM ${DEBIAN_IMAGE}
LABEL org.opencontainers.image.title="rtpengine for Demarc" \
  org.opencontainers.image.description="Debian's rtpengine-daemon, in user space." \
  org.opencontainers.image.licenses="GPL-3.0-or-later"
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends rtpengine-daemon \
  && rm -rf /var/lib/apt/lists/*
COPY docker/rtpengine.sh docker/rtpengine-health.sh /
USER nobody
ENTRYPOINT ["/rtpengine.sh"]
