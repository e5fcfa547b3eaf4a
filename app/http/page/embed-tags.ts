import type { Embed, EmbedScript } from "#app/core/embed.ts";
import { escapeHtml } from "#app/core/text/escape-html.ts";

/**
 * Puts the tags of other companies at the end of the head. React doesn't render them: pages then load no code for them, and what these
 * scripts change in the head isn't compared with anything. A script waits for the page (`defer`) unless its attributes say `async`.
 */
export function withEmbedTags(html: string, embeds: readonly Embed[], nonce: string): string {
  if (embeds.length === 0) return html;
  const tags = embeds.flatMap(({ stylesheets = [], inline, scripts = [] }) => [
    ...stylesheets.map((url) => element("link", { rel: "stylesheet", href: url })),
    ...(inline === undefined ? [] : [`${scriptTag({}, nonce)}${inline}</script>`]),
    ...scripts.map((script) => `${scriptTag(attributesOf(script), nonce)}</script>`),
  ]);
  const guard = `<script nonce="${nonce}">${leaveByDocument}</script>`;
  return html.replace("</head>", () => `${guard}${tags.join("")}</head>`);
}

/**
 * The router changes pages within a document, where other companies' scripts would keep running, also on pages that they aren't meant for.
 * So the router doesn't notice links and forms that lead to another page, and the browser loads that page as it does without scripts.
 */
const leaveByDocument = `(() => {
  const leave = (event, url) => {
    const { origin, pathname } = new URL(url);
    if (origin === location.origin && pathname !== location.pathname) event.stopPropagation();
  };
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (link) leave(event, link.href);
  }, true);
  addEventListener("submit", (event) => leave(event, event.target.action), true);
})()`.replaceAll(/\s+/g, " ");

type Attributes = Record<string, string | true>;

function attributesOf({ src, attributes = {} }: EmbedScript): Attributes {
  return { src, ...(attributes["async"] === undefined && { defer: true }), ...attributes };
}

/** `data-third-party` tells these scripts from the site's own, for people who look at the page. */
function scriptTag(attributes: Attributes, nonce: string): string {
  return element("script", { nonce, "data-third-party": true, ...attributes });
}

function element(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === true ? ` ${key}` : ` ${key}="${escapeHtml(value)}"`,
  );
  return `<${name}${written.join("")}>`;
}
