import type { HeadersArgs } from "react-router";

/**
 * For `export { passHeaders as headers }`: sends an action's or loader's headers (Retry-After, Cache-Control) with the page. React Router
 * otherwise drops all but cookies.
 */
export function passHeaders({ loaderHeaders, actionHeaders }: HeadersArgs): Headers {
  return new Headers([...loaderHeaders, ...actionHeaders]);
}
