/** The network that an address stands for: IPv4 whole, IPv6 by its first 64 bits, which a household has all of to change through. */
export function networkOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = "", tail = ""] = ip.split("::");
  const start = head === "" ? [] : head.split(":");
  const end = tail === "" ? [] : tail.split(":");
  const zeros = ip.includes("::") ? Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => "0") : [];
  return [...start, ...zeros, ...end]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}
