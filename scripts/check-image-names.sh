#!/usr/bin/env bash
# Whether every image that docker-compose.yml and the Dockerfiles take from a registry is there. Asks Docker Hub's registry for the
# manifests, and downloads nothing.
#
#   scripts/check-image-names.sh     exit code 0: all are there; 1: one is not; 77: the registry cannot be reached from here
#
# REGISTRY_URL and REGISTRY_AUTH_URL name another registry, such as a mirror.
set -u
cd "$(dirname "$0")/.."

registry=${REGISTRY_URL:-https://registry-1.docker.io}
auth=${REGISTRY_AUTH_URL:-https://auth.docker.io}
accept='application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json, application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json'

# Images of our own are built, and names of stages are no images.
named() {
  sed -n 's/^ *image: *//p' docker-compose.yml infra/compose.*.yml | grep -v '^proofroom/'
  for file in Dockerfile infra/*/Dockerfile; do
    sed -n 's/^FROM \([^ ]*\).*/\1/p' "$file" | grep -vxFf <(sed -n 's/^FROM .* AS \(.*\)$/\1/p' "$file")
  done
}

status_of() { # IMAGE:TAG: the HTTP status of its manifest; 000 where nobody answers
  local name=${1%:*} tag=${1##*:} token
  case $name in */*) ;; *) name=library/$name ;; esac
  token=$(curl -fsS --max-time 20 "$auth/token?service=registry.docker.io&scope=repository:$name:pull" 2>/dev/null | sed -n 's/.*"token":"\([^"]*\)".*/\1/p')
  [ -n "$token" ] || { echo 000; return; }
  curl -sS --max-time 20 -o /dev/null -I -w '%{http_code}' -H "authorization: Bearer $token" -H "accept: $accept" "$registry/v2/$name/manifests/$tag" 2>/dev/null || true
}

missing=0
mapfile -t images < <(named | sort -u)
[ "${#images[@]}" -gt 0 ] || { echo 'No image is named: the files have changed, and this script has not.'; exit 1; }
for image in "${images[@]}"; do
  status=$(status_of "$image")
  case $status in
    200) echo "there    $image" ;;
    # A repository that is not there is one that is not public.
    401 | 404) echo "MISSING  $image"; missing=1 ;;
    000 | '') echo "SKIPPED: whether the images are published (${images[*]}): Docker Hub cannot be reached from here."; exit 77 ;;
    *) echo "SKIPPED: whether $image is published: Docker Hub answered $status."; exit 77 ;;
  esac
done
exit "$missing"
