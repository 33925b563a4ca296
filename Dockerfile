# One image per service: `docker build --target research .`; docker-compose.yml builds them all. docs/deploy.md tells what is in them.
# No `# syntax=` line: the frontend that is built into Docker suffices, and nothing is pulled but the two bases.

FROM node:24-bookworm-slim AS modules
WORKDIR /build
COPY package.json package-lock.json ./
COPY shared/access/package.json shared/access/
COPY shared/artifacts/package.json shared/artifacts/
COPY shared/config/package.json shared/config/
COPY shared/contracts/package.json shared/contracts/
COPY shared/evidence/package.json shared/evidence/
COPY shared/hosting/package.json shared/hosting/
COPY shared/markdown/package.json shared/markdown/
COPY shared/models/package.json shared/models/
COPY shared/queue/package.json shared/queue/
COPY shared/runtime/package.json shared/runtime/
COPY shared/telemetry/package.json shared/telemetry/
COPY shared/testing/package.json shared/testing/
COPY services/cli/package.json services/cli/
COPY services/code-qa/package.json services/code-qa/
COPY services/critic/package.json services/critic/
COPY services/gateway-mcp/package.json services/gateway-mcp/
COPY services/gateway-rest/package.json services/gateway-rest/
COPY services/orchestrator/package.json services/orchestrator/
COPY services/research/package.json services/research/
COPY services/writer/package.json services/writer/
# Once for all services; each image then takes what its own packages need. No script of a package is run.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund

# What each image needs of that: laid out anew only where a package.json changes.
FROM modules AS assembled-modules
COPY scripts/containers-assemble scripts/containers-assemble
RUN set -e; \
    assemble() { image=$1; shift; node scripts/containers-assemble/main.ts modules "/images/$image" "$@"; }; \
    assemble setup @proofroom/artifacts @proofroom/config; \
    for service in orchestrator research writer critic code-qa gateway-rest gateway-mcp; do \
      assemble "$service" "@proofroom/$service"; \
    done

FROM node:24-bookworm-slim AS assembled-source
WORKDIR /build
COPY . .
RUN set -e; \
    assemble() { image=$1; shift; node scripts/containers-assemble/main.ts source "/images/$image" "$@"; }; \
    assemble setup --extra scripts/containers-setup @proofroom/artifacts @proofroom/config; \
    for service in orchestrator research writer critic code-qa gateway-rest gateway-mcp; do \
      assemble "$service" --extra infra "@proofroom/$service"; \
    done

# Debian and the node program: no npm, no compiler, nothing else that only builds need.
FROM debian:bookworm-slim AS runtime
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates libatomic1 tini \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/debconf/*-old /var/log/*.log /var/log/apt \
 && groupadd --gid 10001 proofroom \
 && useradd --uid 10001 --gid proofroom --no-create-home --home-dir /tmp --shell /usr/sbin/nologin proofroom \
 && install -d -o proofroom -g proofroom -m 700 /run/proofroom /run/proofroom/keys /run/proofroom/gateways /run/proofroom/store
COPY --from=modules /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
USER 10001:10001
ENV NODE_ENV=production PROOFROOM_HOME=/tmp/proofroom PROOFROOM_NO_INSTALL=1
# Reaps what the programs that a service starts leave behind, and passes signals on.
ENTRYPOINT ["tini", "--", "node"]

FROM runtime AS worker
ENV PROOFROOM_HEALTH_HOST=0.0.0.0 PROOFROOM_HEALTH_PORT=9464
EXPOSE 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "infra/healthy.mjs", "http://127.0.0.1:9464/readyz"]

# Makes the secrets and the bucket of the compose file, once.
FROM runtime AS setup
COPY --from=assembled-modules /images/setup ./
COPY --from=assembled-source /images/setup ./
CMD ["scripts/containers-setup/main.ts"]

FROM worker AS orchestrator
COPY --from=assembled-modules /images/orchestrator ./
COPY --from=assembled-source /images/orchestrator ./
CMD ["services/orchestrator/src/main.ts"]

# `--build-arg BROWSER=chromium` adds a browser for pages that need JavaScript: it is more than twice as large as all else.
FROM worker AS research
ARG BROWSER=
USER root
RUN apt-get update \
 && apt-get install -y --no-install-recommends git $BROWSER \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/debconf/*-old /var/log/*.log /var/log/apt
USER 10001:10001
COPY --from=assembled-modules /images/research ./
COPY --from=assembled-source /images/research ./
CMD ["services/research/src/main.ts"]

FROM worker AS writer
COPY --from=assembled-modules /images/writer ./
COPY --from=assembled-source /images/writer ./
CMD ["services/writer/src/main.ts"]

FROM worker AS critic
COPY --from=assembled-modules /images/critic ./
COPY --from=assembled-source /images/critic ./
CMD ["services/critic/src/main.ts"]

# No bubblewrap: Docker's own seccomp profile forbids the namespaces that it is made of. Landlock holds under that profile without
# any capability (docs/deploy.md).
FROM worker AS code-qa
USER root
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/debconf/*-old /var/log/*.log /var/log/apt
USER 10001:10001
COPY --from=assembled-modules /images/code-qa ./
COPY --from=assembled-source /images/code-qa ./
CMD ["services/code-qa/src/main.ts"]

FROM runtime AS gateway-rest
ENV PROOFROOM_REST_HOST=0.0.0.0 PROOFROOM_REST_PORT=8080
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "infra/healthy.mjs", "http://127.0.0.1:8080/readyz"]
COPY --from=assembled-modules /images/gateway-rest ./
COPY --from=assembled-source /images/gateway-rest ./
CMD ["services/gateway-rest/src/main.ts"]

FROM runtime AS gateway-mcp
ENV PROOFROOM_MCP_HOST=0.0.0.0 PROOFROOM_MCP_PORT=8081
EXPOSE 8081
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "infra/healthy.mjs", "http://127.0.0.1:8081/readyz"]
COPY --from=assembled-modules /images/gateway-mcp ./
COPY --from=assembled-source /images/gateway-mcp ./
CMD ["services/gateway-mcp/src/main.ts"]
