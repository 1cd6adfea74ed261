# rtpengine 26 of Debian's unstable suite: converting opus costs it less than half of what it costs 10.5, the release of Debian 12, and it
# counts lost packets. Both are tested; RTPENGINE_BASE=debian:bookworm-slim takes 10.5.
# To pin the base, give a digest: docs/production.md.
ARG RTPENGINE_BASE=debian:sid-slim
FROM ${RTPENGINE_BASE}
LABEL org.opencontainers.image.title="rtpengine for Demarc" \
  org.opencontainers.image.description="Debian's rtpengine-daemon." \
  org.opencontainers.image.licenses="GPL-3.0-or-later"
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends rtpengine-daemon \
  && rm -rf /var/lib/apt/lists/*
COPY docker/rtpengine.sh docker/rtpengine-health.sh /
USER nobody
ENTRYPOINT ["/rtpengine.sh"]
