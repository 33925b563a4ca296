#!/usr/bin/env bash
# Runs the tests that need a container engine: builds the images, starts the stack, writes an article through it, kills parts of it.
#
#   scripts/containers.sh          the last line is "N passed, N failed"; 77: this machine can run no engine
#
# Where a Docker engine answers, that one is used, with the real base images. Elsewhere, on a Debian 12 machine with root, a private
# engine is started with stand-ins for the base images, and taken down again. CONTAINER_TEST_SECONDS (900) is the time for all of it;
# MINIO_BIN, or what scripts/build-s3-server.sh minio prints, is the S3 server where its image cannot be built.
set -u
cd "$(dirname "$0")/.."

budget=${CONTAINER_TEST_SECONDS:-900}
end=$((SECONDS + budget))
engine=scripts/container-engine
services=(secrets orchestrator research writer critic code-qa gateway-rest gateway-mcp)

within_budget() { timeout --kill-after=20 "$((end > SECONDS ? end - SECONDS : 1))" "$@"; }

result() { # STATUS WHAT: an end before anything could be counted
  case $1 in
    124 | 137) echo "The container tests did not end within $budget seconds: $2." ;;
    *) echo "$2 failed (status $1)." ;;
  esac
  echo '0 passed, 1 failed'
  exit 1
}

cannot() { # STATUS WHAT: this machine is not able to; what the tests find is never told so
  case $1 in
    124 | 137) echo "SKIPPED: the container tests, since $2 took longer than $budget seconds." ;;
    *) echo "SKIPPED: the container tests, since $2 failed here (status $1)." ;;
  esac
  exit 77
}

minio_image() { within_budget "${inside[@]}" docker compose config --images s3 | grep minio; }

build_log=$(mktemp)
ours=no
cleanup() {
  rm -f "$build_log"
  if [ "$ours" = yes ]; then "$engine" down >&2 || true; fi
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

if timeout 10 docker version --format '{{.Server.Version}}' </dev/null >/dev/null 2>&1; then
  echo 'Container tests: on the Docker engine of this machine.'
  inside=()
  services+=(s3)
  DOCKER_HOST=${DOCKER_HOST:-$(docker context inspect --format '{{.Endpoints.docker.Host}}')}
  export DOCKER_HOST
else
  within_budget "$engine" up >/dev/null
  status=$?
  if [ "$status" = 77 ]; then
    echo 'SKIPPED: the container tests need a Docker engine, or root on Debian 12 with network namespaces.'
    exit 77
  fi
  ours=yes
  [ "$status" = 0 ] || cannot "$status" 'starting the container engine'
  echo 'Container tests: on a private engine, with local stand-ins for the base images (image sizes say nothing).'
  minio=${MINIO_BIN:-$(within_budget scripts/build-s3-server.sh minio)}
  [ -n "$minio" ] || cannot 1 'building MinIO, which the stack stores in,'
  inside=("$engine" run)
  MINIO_IMAGE=$(minio_image)
  for image in 'debian:bookworm-slim debian' 'node:24-bookworm-slim node24' 'redis:7-bookworm redis' "$MINIO_IMAGE binary:$minio"; do
    # shellcheck disable=SC2086 # two words each
    within_budget "$engine" image $image || cannot $? "making $image"
  done
fi

echo 'Building the images …'
within_budget "${inside[@]}" docker compose --progress plain build "${services[@]}" >"$build_log" 2>&1
status=$?
case $status in 124 | 137) cannot "$status" 'building the images' ;; esac
if [ "$status" != 0 ]; then
  tail -n 40 "$build_log"
  result "$status" 'building the images'
fi
MINIO_IMAGE=$(minio_image)
export MINIO_IMAGE
within_budget "${inside[@]}" node scripts/test-containers.mjs
status=$?
[ "$status" -lt 2 ] || result "$status" 'the container tests'
exit "$status"
