import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/**
 * For a redirect between the account's pages and others. If only one side has third-party scripts, the router is told to load a document:
 * else they would run where a code is typed, or be missing in the account. React Router's own header, as in its `redirectDocument`.
 */
export function loadDocument({ thirdParties = [] }: Pick<ProductConfig, "thirdParties">, headers: Headers): Headers {
  if (thirdParties.some(({ pages }) => pages === "account")) headers.set("X-Remix-Reload-Document", "true");
  return headers;
}
