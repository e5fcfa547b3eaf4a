/** The network that an address stands for: IPv4 whole, IPv6 by its first 64 bits, which a household has all of to change through. */
export function networkOf(ip: string): string {
  return ip.includes(":") ? firstGroups(ip, 4) : ip;
}

/** What is kept of an address for its owner to recognise: a /24 of IPv4, a /48 of IPv6; null for what is no address. */
export function abbreviateNetwork(ip: string): string | null {
  if (ip.includes(":")) return `${firstGroups(ip, 3)}::/48`;
  const [network] = /^\d{1,3}(\.\d{1,3}){2}(?=\.\d{1,3}$)/.exec(ip) ?? [];
  return network === undefined ? null : `${network}.0/24`;
}

/** Prefixes of IPv6, narrow to wide: a household's, a large site's, a provider's. IPv4 counts whole, as one of the narrowest. */
export const prefixBits = [64, 56, 48, 32] as const;
export type PrefixBits = (typeof prefixBits)[number];

/** Every network that an address belongs to, the narrowest first. */
export function networksOf(ip: string): { bits: PrefixBits; network: string }[] {
  if (!ip.includes(":")) return [{ bits: 64, network: ip }];
  return prefixBits.map((bits) => ({ bits, network: prefixOf(ip, bits) }));
}

/** A /64 is named as in `networkOf`; of the wider ones each says how wide it is, so that no two are called the same. */
function prefixOf(ip: string, bits: PrefixBits): string {
  if (bits === 64) return networkOf(ip);
  const groups = firstGroups(ip, Math.ceil(bits / 16)).split(":");
  const last = groups.pop() ?? "0";
  const kept = bits % 16 === 0 ? last : (Number.parseInt(last, 16) >> 8).toString(16);
  return `${[...groups, kept].join(":")}/${bits}`;
}

function firstGroups(ip: string, count: number): string {
  const [head = "", tail = ""] = ip.split("::");
  const start = head === "" ? [] : head.split(":");
  const end = tail === "" ? [] : tail.split(":");
  const zeros = ip.includes("::") ? Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => "0") : [];
  return [...start, ...zeros, ...end]
    .slice(0, count)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}
