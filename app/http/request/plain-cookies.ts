/**
 * Safari keeps no Secure cookie of `http://localhost`, so that nobody could sign in to a local run there. On such an address, which no other
 * machine reaches, each cookie is also sent under its name without `__Host-`, without `Secure`. A deployed site has none of these.
 */
const prefix = "__Host-";

/** Both the address that was asked for and the configured one are this machine's own, without https. */
export function isLocalHttp(url: string, publicOrigin: string): boolean {
  return [url, publicOrigin].every(
    (address) =>
      URL.canParse(address) && /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(new URL(address).origin),
  );
}

/** The request with its plain cookies under the names that the site reads; a Secure one comes first. */
export function readPlainCookies(request: Request): Request {
  const pairs = (request.headers.get("Cookie") ?? "").split("; ").filter((pair) => pair !== "");
  const plain = pairs.filter((pair) => !pair.startsWith(prefix));
  if (plain.length === 0) return request;
  const headers = new Headers(request.headers);
  headers.set("Cookie", [...pairs, ...plain.map((pair) => prefix + pair)].join("; "));
  return new Request(request, { headers });
}

export function addPlainCookies(answer: Response): Response {
  const cookies = answer.headers.getSetCookie().filter((cookie) => cookie.startsWith(prefix));
  if (cookies.length === 0) return answer;
  const added = new Response(answer.body, answer);
  for (const cookie of cookies)
    added.headers.append("Set-Cookie", cookie.slice(prefix.length).replace(/; Secure(?=;|$)/i, ""));
  return added;
}
