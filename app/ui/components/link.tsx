import { Link as RouterLink, type LinkProps } from "react-router";

/**
 * React Router's link. On the server a path renders to the same element without the router's hooks: a page has thirty links, and they
 * took a tenth of its time.
 */
export const Link = import.meta.env.SSR ? ServerLink : BrowserLink;

/** No route is left to discover: the browser knows all of them (`react-router.config.ts`). */
function BrowserLink(link: LinkProps) {
  return <RouterLink discover="none" {...link} />;
}

function ServerLink(link: LinkProps) {
  const { to, children, reloadDocument: _, replace: __, preventScrollReset: ___, ...attributes } = link;
  if (typeof to !== "string" || !/^\/(?!\/)/.test(to)) return <BrowserLink {...link} />;
  return (
    <a {...attributes} href={to}>
      {children}
    </a>
  );
}
