/**
 * For which hosts browsers insist on https for two years after a visit.
 * - `host`: the site's own
 * - `subdomains`: also everything below it
 * - `preload`: the same, and browsers may ship with it (hstspreload.org), which takes months to undo
 */
export type HttpsOnly = "host" | "subdomains" | "preload";

/** `max-age` of Strict-Transport-Security; the preload list asks for at least half of it. */
const httpsOnlySeconds = 2 * 365 * 24 * 60 * 60;

/** The value of `Strict-Transport-Security`, on rendered answers as on files. */
export function strictTransport({ httpsOnly }: { httpsOnly: HttpsOnly }): string {
  const scope = { host: "", subdomains: "; includeSubDomains", preload: "; includeSubDomains; preload" }[httpsOnly];
  return `max-age=${httpsOnlySeconds}${scope}`;
}
