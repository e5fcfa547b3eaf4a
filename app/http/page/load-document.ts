import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/**
 * For a redirect between the account's pages and others. If the account has third-party scripts, the router has to load a document: otherwise
 * they would run where a code is typed, or be missing in the account. The header is React Router's own.
 */
export function loadDocument({ thirdParties = [] }: Pick<ProductConfig, "thirdParties">, headers: Headers): Headers {
  if (thirdParties.some(({ pages }) => pages === "account")) headers.set("X-Remix-Reload-Document", "true");
  return headers;
}
