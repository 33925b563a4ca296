#!/usr/bin/env bash
# Builds the MinIO server for the S3 tests from its source and prints the path of the binary.
#
#   scripts/build-minio.sh [FOLDER]      by default ~/.cache/proofroom/bin (XDG_CACHE_HOME is heeded)
#   MINIO_BIN=$(scripts/build-minio.sh) npm test
#
# MinIO's images and binaries are no longer published; its source stays a Go module. The first build takes several
# minutes, a later one finds the binary. Without Go nothing is built or printed, and the exit code is 0: the tests
# then look for another server and say which they found.
set -euo pipefail

version=$(sed -n 's/^ARG MINIO_VERSION=//p' "$(dirname "$0")/../infra/minio/Dockerfile")
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/proofroom/bin}
binary=$folder/minio-$version

if [ -x "$binary" ]; then
  echo "$binary"
  exit 0
fi
if ! command -v go >/dev/null; then
  echo 'Go is needed to build MinIO and is not on the PATH: skipped.' >&2
  exit 0
fi

mkdir -p "$folder"
# Beside its place, so that a build that is cut short is never taken for a binary.
staging=$(mktemp -d "$folder/build.XXXXXX")
trap 'rm -rf "$staging"' EXIT
GOBIN=$staging GOFLAGS="${GOFLAGS:-} -mod=mod" nice go install -ldflags '-s -w' "github.com/minio/minio@$version" >&2
mv "$staging/minio" "$binary"
echo "$binary"
