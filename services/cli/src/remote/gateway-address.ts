import { ProofroomError } from "@proofroom/contracts";

/**
 * The address of a gateway, as `--remote` gives it.
 * @throws ProofroomError invalid_input
 */
export function gatewayAddress(text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    address !== null &&
    [address.username, address.password, address.search, address.hash].every((part) => part === "");
  if (isPlain && /^https?:$/.test(address.protocol)) return address;
  throw new ProofroomError({
    code: "invalid_input",
    message: "--remote takes the address of a REST gateway.",
    remedy: "For instance: --remote http://127.0.0.1:8080",
  });
}
