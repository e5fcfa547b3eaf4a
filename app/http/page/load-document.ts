import type { MiddlewareFunction } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { mayHaveOtherServices } from "#app/modules/catalogue/third-parties.rules.ts";

/**
 * Every redirect between pages with different third-party services asks the router for a document. Otherwise the scripts of the first page
 * would keep running on the second, where a code may be typed, or those of the second would be missing. The header is React Router's own.
 */
export const loadDocument: MiddlewareFunction<Response> = async ({ context, url }, next) => {
  const response = await next();
  const target = response.headers.get("Location");
  if (target === null) return response;
  const { pathname } = new URL(target, url.origin + url.pathname);
  if (mayHaveOtherServices(context.get(appContext).product, url.pathname, pathname))
    response.headers.set("X-Remix-Reload-Document", "true");
  return response;
};
