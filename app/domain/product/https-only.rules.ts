import type { ProductConfig } from "./rules.ts";

const httpsOnlySeconds = 2 * 365 * 24 * 60 * 60;

/** The value of `Strict-Transport-Security`, on rendered answers as on files. */
export function strictTransport({ httpsOnly }: Pick<ProductConfig, "httpsOnly">): string {
  const scope = { host: "", subdomains: "; includeSubDomains", preload: "; includeSubDomains; preload" }[httpsOnly];
  return `max-age=${httpsOnlySeconds}${scope}`;
}
