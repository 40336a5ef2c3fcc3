# The service as an image: docker build -t atelier . && docker run -p 127.0.0.1:8080:8080 -v atelier:/data atelier
# With --build-arg COMMIT=$(git rev-parse --short=12 HEAD) /health says what it was built of.
# For both kinds of processors: docker buildx build --platform linux/amd64,linux/arm64 .
# What it is made of and what is measured: docs/decisions/0044-installation-and-packages.md

FROM node:24-bookworm-slim AS build
WORKDIR /opt/atelier
# What is downloaded changes with these files alone.
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/imaging/package.json packages/imaging/
COPY scripts/no_download scripts/no_download
RUN npm ci --omit=dev --ignore-scripts
COPY . .
ARG COMMIT=image
# By the second one messages know that their commands are typed outside of a container.
RUN npm pkg set "build=$COMMIT" image=atelier
# Leaves what this processor can load.
RUN node scripts/prune_libraries.mjs \
  && install -d -o 10001 /var/cache/atelier && ln -s /var/cache/atelier node_modules/.cache
# Where weights in packages come from: the image has no npm to ask.
RUN mkdir -p /usr/local/etc && echo "registry=$(npm config get registry)" > /usr/local/etc/npmrc
# Makes the empty database and compiles the sources. Node keeps what it compiled for one user alone.
USER 10001
RUN node scripts/prepare_database.mjs && node scripts/compile_sources.mjs

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Atelier" \
      org.opencontainers.image.description="Images, print, provenance, museum works and storage for AI agents. Most tools are free." \
      org.opencontainers.image.licenses="Apache-2.0"
RUN useradd --uid 10001 --home-dir /data --create-home --shell /usr/sbin/nologin atelier
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /usr/local/etc/npmrc /usr/local/etc/npmrc
COPY --from=build /opt/atelier /opt/atelier
COPY --from=build --chown=10001:10001 /var/cache/atelier /var/cache/atelier
RUN ln -s /opt/atelier/bin/atelier.mjs /usr/local/bin/atelier
ENV HOST=0.0.0.0 DATA_DIR=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
# A start that has to migrate a database may take longer than a check.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "/opt/atelier/deploy/docker/is_healthy.mjs"]
ENTRYPOINT ["node", "/opt/atelier/bin/atelier.mjs"]
CMD ["start"]
