import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Paths of a certificate and its key, in PEM. */
export interface CertificatePaths {
  cert: string;
  key: string;
}

const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** An authority whose certificate it has signed itself. */
export async function makeAuthority(folder: string, name: string): Promise<CertificatePaths> {
  const paths = { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  const subject = ["-subj", `/CN=${name}`, "-days", "2"];
  await run("openssl", ["req", "-x509", ...key, "-keyout", paths.key, "-out", paths.cert, ...subject]);
  return paths;
}

/**
 * A certificate that an authority has signed.
 * @param names what it is for, as `DNS:localhost` or `IP:127.0.0.1`
 */
export async function makeCertificate(
  folder: string,
  name: string,
  authority: CertificatePaths,
  names: readonly string[],
): Promise<CertificatePaths> {
  const paths = { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  const request = join(folder, `${name}.csr`);
  const extensions = join(folder, `${name}.ext`);
  await writeFile(extensions, `subjectAltName=${names.join(",")}\n`);
  await run("openssl", ["req", ...key, "-keyout", paths.key, "-out", request, "-subj", `/CN=${name}`]);
  const signed = ["-CA", authority.cert, "-CAkey", authority.key, "-CAcreateserial", "-days", "2"];
  await run("openssl", [
    "x509",
    "-req",
    "-in",
    request,
    ...signed,
    "-extfile",
    extensions,
    "-out",
    paths.cert,
  ]);
  return paths;
}
