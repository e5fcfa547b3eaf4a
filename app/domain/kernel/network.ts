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
