import ipaddr from "ipaddr.js";

const PRIVATE_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
].map((range) => ipaddr.IPv4.parseCIDR(range));

const PRIVATE_V6 = [
  "::/128",
  "::1/128",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
  "2001:db8::/32",
].map((range) => ipaddr.IPv6.parseCIDR(range));

// IPv6 ranges that carry an IPv4 address, with the offset of its first byte.
const EMBEDDING_V6 = [
  { range: "::ffff:0:0/96", byte: 12 },
  { range: "::/96", byte: 12 },
  { range: "64:ff9b::/96", byte: 12 },
  { range: "2002::/16", byte: 2 },
].map(({ range, byte }) => ({ range: ipaddr.IPv6.parseCIDR(range), byte }));

/**
 * Whether a host is on the public internet as far as its name or address tells (no DNS).
 *
 * @param host - `hostname` of a WHATWG URL: addresses are canonical there, IPv6 in brackets.
 */
export function isPublicHost(host: string): boolean {
  if (host.startsWith("[")) return isPublicV6(ipaddr.IPv6.parse(host.slice(1, -1)));
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return isPublicV4(ipaddr.IPv4.parse(host));
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  return name.includes(".") && !/\.(?:localhost|local|internal)$/.test(name);
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return !PRIVATE_V4.some((range) => address.match(range));
}

function isPublicV6(address: ipaddr.IPv6): boolean {
  if (PRIVATE_V6.some((range) => address.match(range))) return false;
  const bytes = address.toByteArray();
  return EMBEDDING_V6.every(
    ({ range, byte }) => !address.match(range) || isPublicV4(new ipaddr.IPv4(bytes.slice(byte, byte + 4))),
  );
}
