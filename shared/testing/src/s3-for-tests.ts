import { startS3Server, type TestS3 } from "./s3-server.ts";

interface S3ForTests {
  server: TestS3 | null;
  /** On which server the tests run, or that they do not. */
  told: string;
  /** Whether there is no server and has to be one: a test fails for that. */
  isLacking: boolean;
}

/**
 * As `startS3Server`, and what is to be told of it. In CI a server has to be there, or tests that never ran would pass for ever;
 * S3_TEST_OPTIONAL=1 says that it need not.
 *
 * @param what the tests are of, at the beginning of a sentence
 */
export async function s3ForTests(
  what: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<S3ForTests> {
  const server = await startS3Server(env);
  const told =
    server === null
      ? "did not run: no S3 server is to be had (S3_TEST_ENDPOINT, SEAWEEDFS_BIN, MINIO_BIN, minio or moto_server on the PATH)"
      : `ran on ${server.name}`;
  process.stderr.write(`${what}: ${told}\n`);
  const isNeeded = isSet(env["CI"]) && !isSet(env["S3_TEST_OPTIONAL"]);
  return { server, told, isLacking: server === null && isNeeded };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}
