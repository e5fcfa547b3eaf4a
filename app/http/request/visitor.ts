import { recogniseBrowser } from "#app/modules/accounts/browsers.rules.ts";
import { readCookie } from "./cookies.ts";
import { visitorMessages } from "./visitor.messages.ts";

/** What a request reveals about its sender. The address is used for rate limits; the rest is shown in lists. */
type Visitor = { ip: string; device: string; country: string | null; browserToken: string | null };

/** A request that changes nothing (safe method). */
export function isSafeMethod({ method }: Pick<Request, "method">): boolean {
  return method === "GET" || method === "HEAD";
}

export function describeVisitor(request: Request): Visitor {
  const country = request.headers.get("CF-IPCountry");
  return {
    ip: request.headers.get("CF-Connecting-IP") ?? "unknown",
    device: nameDevice(request.headers.get("User-Agent") ?? ""),
    country: country && /^[A-Z]{2}$/.test(country) && country !== "XX" ? country : null,
    browserToken: readCookie(request, "browser"),
  };
}

/** "Firefox on Linux". */
function nameDevice(userAgent: string): string {
  const messages = visitorMessages.en;
  const { browser, system } = recogniseBrowser(userAgent);
  return system ? messages.on(browser ?? messages.unknown, system) : (browser ?? messages.unknown);
}
