import { Link as RouterLink, type LinkProps } from "react-router";

/**
 * React Router's link. On the server a path renders to the same element without the router's hooks: a page has thirty links, and they
 * took a tenth of its time.
 */
export const Link = import.meta.env.SSR ? ServerLink : RouterLink;

function ServerLink(link: LinkProps) {
  const { to, children, reloadDocument: _, replace: __, preventScrollReset: ___, ...attributes } = link;
  if (typeof to !== "string" || !/^\/(?!\/)/.test(to)) return <RouterLink {...link} />;
  return (
    <a {...attributes} href={to} data-discover="true">
      {children}
    </a>
  );
}
