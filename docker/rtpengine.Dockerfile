# Debian's own rtpengine: the version that Demarc's tests run against.
FROM debian:bookworm-slim
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends rtpengine-daemon \
  && rm -rf /var/lib/apt/lists/*
COPY docker/rtpengine.sh /rtpengine.sh
USER nobody
ENTRYPOINT ["/rtpengine.sh"]
