# The edge, control and the embedded engine: one package, one executable. It does not contain dev/.
# To pin the bases, give digests: docker compose build --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… (docs/production.md).
ARG NODE_IMAGE=node:24-bookworm-slim
ARG DEBIAN_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
# Without symbols, Node.js is 13 MB smaller.
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends binutils \
  && strip -o /usr/local/bin/node-stripped "$(command -v node)"
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The versions of the lock file, without the development packages that only tests and checks use: they are half of the files.
RUN npm pkg delete devDependencies.@biomejs/biome devDependencies.@electric-sql/pglite devDependencies.@electric-sql/pglite-pgvector \
  devDependencies.@openai/agents devDependencies.@openai/agents-extensions devDependencies.@openai/agents-realtime \
  devDependencies.@redocly/openapi-core devDependencies.axe-core devDependencies.playwright-core devDependencies.postal-mime \
  devDependencies.preact-render-to-string devDependencies.semver devDependencies.smtp-server devDependencies.tsx devDependencies.twilio \
  devDependencies.vitest devDependencies.xmllint-wasm \
  && npm install --prefer-offline --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json vite.config.ts ./
COPY dev/setup ./dev/setup
COPY src ./src
COPY clients/typescript/src ./clients/typescript/src
COPY docker/prune.sh ./
RUN node dev/setup/build-command.mjs --product && npm prune --omit=dev --offline --no-audit --no-fund && sh prune.sh

FROM ${DEBIAN_IMAGE}
ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title="Demarc" \
  org.opencontainers.image.description="A SIP signaling and media edge for voice agents." \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production DEMARC_STATE_DIR=/var/lib/demarc DEMARC_DOCUMENT_DIRECTORY=/var/lib/demarc/documents MALLOC_ARENA_MAX=1
WORKDIR /opt/demarc
RUN groupadd --gid 1000 demarc && useradd --uid 1000 --gid demarc --home-dir /var/lib/demarc --shell /usr/sbin/nologin demarc \
  && install -d -o demarc -g demarc /var/lib/demarc /var/lib/demarc/documents \
  && ln -s /opt/demarc/dist/cli.js /usr/local/bin/demarc
COPY --from=build /usr/local/bin/node-stripped /usr/local/bin/node
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY package.json ./
COPY docker/engine.sh /etc/demarc/engine.sh
USER demarc
VOLUME /var/lib/demarc
# SIGTERM drains the edge: set the stop timeout slightly above DEMARC_DRAIN_SECONDS.
STOPSIGNAL SIGTERM
ENTRYPOINT ["demarc"]
CMD ["edge"]
