import type { HeadersArgs } from "react-router";

/**
 * For `export { passHeaders as headers }`: what an action or a loader said (Retry-After, Cache-Control) goes out with the
 * page. The framework keeps all but cookies to itself otherwise.
 */
export function passHeaders({ loaderHeaders, actionHeaders }: HeadersArgs): Headers {
  return new Headers([...loaderHeaders, ...actionHeaders]);
}
