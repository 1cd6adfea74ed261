# The edge, control and the embedded engine: one package, one executable. It does not contain dev/.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json vite.config.ts ./
COPY src ./src
COPY clients/typescript/src ./clients/typescript/src
RUN npx tsc -p tsconfig.build.json && npx vite build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production DEMARC_STATE_DIR=/var/lib/demarc MALLOC_ARENA_MAX=1
WORKDIR /opt/demarc
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY package.json ./
RUN ln -s /opt/demarc/dist/cli.js /usr/local/bin/demarc && chmod +x dist/cli.js \
  && install -d -o node -g node /var/lib/demarc
USER node
VOLUME /var/lib/demarc
# SIGTERM drains the edge: set the stop timeout slightly above DEMARC_DRAIN_SECONDS.
STOPSIGNAL SIGTERM
ENTRYPOINT ["demarc"]
CMD ["edge"]
