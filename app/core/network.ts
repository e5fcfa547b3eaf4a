/**
 * The network that an address belongs to: the whole IPv4 address, or the first 64 bits of IPv6, since one connection can use all of a
 * /64.
 */
export function networkOf(ip: string): string {
  return ip.includes(":") ? firstGroups(ip, 4) : ip;
}

/** The widest network that one person usually holds: an IPv4 address or an IPv6 /48. Many homes share a wider one. */
export function ownNetworkOf(ip: string): string {
  return ip.includes(":") ? prefixOf(ip, 48) : ip;
}

/** The part of an address that is stored so that its owner can recognise it: an IPv4 /24 or IPv6 /48; null for an invalid address. */
export function abbreviateNetwork(ip: string): string | null {
  if (ip.includes(":")) return `${firstGroups(ip, 3)}::/48`;
  const [network] = /^\d{1,3}(\.\d{1,3}){2}(?=\.\d{1,3}$)/.exec(ip) ?? [];
  return network === undefined ? null : `${network}.0/24`;
}

/** IPv6 prefixes, narrow to wide: one connection, one home, one company, one provider. A whole IPv4 address counts among the narrowest. */
type PrefixBits = 64 | 56 | 48 | 32;
type Network = { bits: PrefixBits; network: string };

/** Every network that an address belongs to, narrowest first. */
export function networksOf(ip: string): [Network, ...Network[]] {
  const narrowest = { bits: 64, network: networkOf(ip) } as const;
  const wider = [56, 48, 32] as const;
  return [narrowest, ...(ip.includes(":") ? wider.map((bits) => ({ bits, network: prefixOf(ip, bits) })) : [])];
}

/** A /64 has the same name as in `networkOf`; wider networks include their prefix length so that names are unique. */
function prefixOf(ip: string, bits: PrefixBits): string {
  if (bits === 64) return networkOf(ip);
  const groups = firstGroups(ip, Math.ceil(bits / 16)).split(":");
  const last = groups.pop() ?? "0";
  const masked = bits % 16 === 0 ? last : (Number.parseInt(last, 16) >> 8).toString(16);
  return `${[...groups, masked].join(":")}/${bits}`;
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
