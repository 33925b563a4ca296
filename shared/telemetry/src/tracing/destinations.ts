import { percentDecoded } from "./percent-decoded.ts";

/** A backend that takes traces by OTLP over HTTP, in Protobuf. */
export interface Destination {
  /** What it is called where it fails. */
  name: string;
  url: string;
  /** They hold secrets. */
  headers: Readonly<Record<string, string>>;
}

/** A text that shows itself only when asked. */
interface Revealed {
  reveal(): string;
}

/** Which backends the operator has configured, as the settings tell it. */
export interface TraceSettings {
  /** Any that speaks the protocol: Jaeger, Tempo, a collector. */
  otlp: { url: string; headers: Revealed | undefined } | undefined;
  langfuse: { baseUrl: string; publicKey: string; secretKey: Revealed } | undefined;
  opik:
    | {
        baseUrl: string;
        apiKey: Revealed | undefined;
        workspace: string | undefined;
        project: string | undefined;
      }
    | undefined;
}

/** `name=value,…` with values percent-encoded, as OpenTelemetry writes headers in a setting. */
function headersOf(text: string | undefined): Record<string, string> {
  const pairs = (text ?? "").split(",").flatMap((pair): [string, string][] => {
    const at = pair.indexOf("=");
    if (at < 1) return [];
    const value = pair.slice(at + 1).trim();
    return [[pair.slice(0, at).trim().toLowerCase(), percentDecoded(value)]];
  });
  return Object.fromEntries(pairs);
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/** The backends that are configured, each with its address and headers. */
export function destinationsOf({ otlp, langfuse, opik }: TraceSettings): Destination[] {
  const found: Destination[] = [];
  if (otlp !== undefined)
    found.push({ name: "otlp", url: otlp.url, headers: headersOf(otlp.headers?.reveal()) });
  if (langfuse !== undefined) {
    found.push({
      name: "langfuse",
      url: `${langfuse.baseUrl}/api/public/otel/v1/traces`,
      headers: { authorization: basic(langfuse.publicKey, langfuse.secretKey.reveal()) },
    });
  }
  if (opik !== undefined) {
    found.push({
      name: "opik",
      url: `${opik.baseUrl.replace(/\/api$/, "")}/api/v1/private/otel/v1/traces`,
      headers: {
        ...(opik.apiKey === undefined ? {} : { authorization: opik.apiKey.reveal() }),
        ...(opik.workspace === undefined ? {} : { "comet-workspace": opik.workspace }),
        ...(opik.project === undefined ? {} : { projectname: opik.project }),
      },
    });
  }
  return found;
}
