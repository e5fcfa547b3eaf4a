import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub, Link as RouterLink, type LinkProps } from "react-router";
import { expect, test } from "vitest";
import { Link } from "./link.tsx";

const links: (LinkProps & { "aria-current"?: "page" })[] = [
  { to: "/" },
  { to: "/#plans" },
  { to: "/settings/orders?state=paid&year=2026", className: "button" },
  { to: "/settings", "aria-current": "page" },
  { to: "/settings/export", reloadDocument: true },
  { to: "/plans?interval=year", replace: true, preventScrollReset: true },
  { to: "?year=2026" },
  { to: "." },
  { to: "mailto:help@example.com" },
  { to: "https://status.example/now", target: "_blank", rel: "noreferrer" },
  { to: "//elsewhere.example" },
  { to: { pathname: "/legal/terms", hash: "#withdrawal" } },
];

test.each(links)("the server renders a link to $to as the browser does", (link) => {
  expect(render(Link, link)).toEqual(render(AsInBrowser, link));
});

/** There is no lazy discovery of routes, whose attribute React Router sets by default. */
function AsInBrowser(link: LinkProps) {
  return createElement(RouterLink, { discover: "none", ...link });
}

/** The element's attributes in order of their names: that is what React compares when a page becomes interactive. */
function render(As: typeof Link, link: LinkProps): string[] {
  const Stub = createRoutesStub([{ path: "/settings/data", Component: () => createElement(As, link, "Text") }]);
  const html = renderToStaticMarkup(createElement(Stub, { initialEntries: ["/settings/data"] }));
  const [, attributes = "", content = ""] = /^<a ([^>]*)>(.*)<\/a>$/.exec(html) ?? [html, html];
  return [...(attributes.match(/[a-z-]+="[^"]*"/g) ?? []).toSorted(), content];
}
