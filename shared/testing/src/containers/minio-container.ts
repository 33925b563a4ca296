import { GenericContainer, Wait } from "testcontainers";
import { makeBucket } from "../make-bucket.ts";

export interface MinioContainerOptions {
  /** One whose entry point is the server; docker-compose.yml builds it. */
  image: string;
  bucket: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

/** A MinIO in a container of its own, with a bucket. */
export async function startMinioContainer({ image, bucket, region, credentials }: MinioContainerOptions) {
  const { accessKeyId, secretAccessKey } = credentials;
  const container = await new GenericContainer(image)
    .withCommand(["server", "--quiet", "--address", ":9000", "/data"])
    .withEnvironment({
      MINIO_ROOT_USER: accessKeyId,
      MINIO_ROOT_PASSWORD: secretAccessKey,
      MINIO_BROWSER: "off",
    })
    .withExposedPorts(9_000)
    .withWaitStrategy(Wait.forHttp("/minio/health/ready", 9_000))
    .start();
  const close = async () => void (await container.stop({ timeout: 0, remove: true, removeVolumes: true }));
  const endpoint = `http://${container.getHost()}:${container.getMappedPort(9_000)}`;
  try {
    await makeBucket({ endpoint, region, bucket, credentials });
    return { endpoint, close };
  } catch (error) {
    await close();
    throw error;
  }
}
