#!/usr/bin/env bash
# Builds an S3 server for the tests from its source and prints the path of the binary.
#
#   scripts/build-s3-server.sh minio|seaweedfs [FOLDER]     by default ~/.cache/proofroom/bin (XDG_CACHE_HOME is heeded)
#   MINIO_BIN=$(scripts/build-s3-server.sh minio) npm test
#   SEAWEEDFS_BIN=$(scripts/build-s3-server.sh seaweedfs) npm test -- shared/artifacts
#
# The version is that of infra/NAME/Dockerfile, so that tests and stack run the same server. The first build takes several minutes,
# a later one finds the binary. Without Go nothing is built or printed, and the exit code is 0: the tests then look for another
# server and say which they found.
set -euo pipefail

name=${1:-}
case $name in
  minio) argument=MINIO_VERSION module=github.com/minio/minio ;;
  seaweedfs) argument=SEAWEEDFS_VERSION module=github.com/seaweedfs/seaweedfs ;;
  *)
    sed -n 's/^#   \(scripts.*\)/usage: \1/p' "$0" >&2
    exit 2
    ;;
esac
version=$(sed -n "s/^ARG $argument=//p" "$(dirname "$0")/../infra/$name/Dockerfile")
folder=${2:-${XDG_CACHE_HOME:-$HOME/.cache}/proofroom/bin}
binary=$folder/$name-$version

if [ -x "$binary" ]; then
  echo "$binary"
  exit 0
fi
if ! command -v go >/dev/null; then
  echo "Go is needed to build $name and is not on the PATH: skipped." >&2
  exit 0
fi

mkdir -p "$folder"
# Beside its place, so that a build that is cut short is never taken for a binary.
staging=$(mktemp -d "$folder/build.XXXXXX")
trap 'chmod -R u+w "$staging" && rm -rf "$staging"' EXIT
export GOFLAGS="${GOFLAGS:-} -mod=mod" CGO_ENABLED=0
case $name in
  minio) GOBIN=$staging nice go install -ldflags '-s -w' "$module@$version" >&2 ;;
  seaweedfs)
    # Its go.mod replaces a module, which `go install` refuses: hence the copy.
    source=$(go mod download -json "$module@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
    cp -r "$source" "$staging/source"
    chmod -R u+w "$staging/source"
    (cd "$staging/source" && nice go build -ldflags '-s -w' -o "$staging/seaweedfs" ./weed) >&2
    ;;
esac
mv "$staging/$name" "$binary"
echo "$binary"
