/** The part of Cloudflare's rate limiting binding that is used here. */
export type RateLimit = { limit(options: { key: string }): Promise<{ success: boolean }> };

/** Whether a network has sent too much. A rate limiter that fails lets everybody pass and is not reported: reporting is what it protects. */
export async function isFlooding(request: Request, limiter: RateLimit | undefined, counted: string): Promise<boolean> {
  if (!limiter) return false;
  try {
    const { success } = await limiter.limit({
      key: counted + networkOf(request.headers.get("CF-Connecting-IP") ?? "unknown"),
    });
    return !success;
  } catch {
    return false;
  }
}

/** IPv4 whole, IPv6 by its first 64 bits, which a household has all of to change through. */
function networkOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = "", tail = ""] = ip.split("::");
  const [start, end] = [head, tail].map((part) => (part === "" ? [] : part.split(":")));
  const zeros = ip.includes("::") ? Math.max(0, 8 - (start?.length ?? 0) - (end?.length ?? 0)) : 0;
  const groups = [...(start ?? []), ...Array.from({ length: zeros }, () => "0"), ...(end ?? [])];
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}
