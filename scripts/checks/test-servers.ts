/** On what the Redis and S3 servers of the tests run, as `shared/testing` decides it. */
export function testServers(env: Readonly<Record<string, string | undefined>>): string {
  if (!env["DOCKER_HOST"])
    return "Redis and S3 servers of these test files: local processes (DOCKER_HOST is not set).";
  const s3 = env["MINIO_IMAGE"] ? "and S3 " : "";
  const rest = s3 === "" ? "; S3 as a local process (MINIO_IMAGE is not set)" : "";
  return `Redis ${s3}servers of these test files: containers of the engine at DOCKER_HOST${rest}.`;
}
