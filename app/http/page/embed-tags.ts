import type { Embed, EmbedScript } from "#app/core/embed.ts";

/**
 * Puts the tags of other companies at the end of the head. Not rendered by React: pages then load no code for them, and what these scripts
 * change in the head isn't compared with anything. A script waits for the page (`defer`) unless its attributes say `async`.
 */
export function withEmbedTags(html: string, embeds: readonly Embed[], nonce: string): string {
  const tags = embeds.flatMap(({ stylesheets = [], inline, scripts = [] }) => [
    ...stylesheets.map((url) => element("link", { rel: "stylesheet", href: url })),
    ...(inline === undefined ? [] : [`${scriptTag({}, nonce)}${inline}</script>`]),
    ...scripts.map((script) => `${scriptTag(attributesOf(script), nonce)}</script>`),
  ]);
  return tags.length === 0 ? html : html.replace("</head>", () => `${tags.join("")}</head>`);
}

type Attributes = Record<string, string | true>;

function attributesOf({ src, attributes = {} }: EmbedScript): Attributes {
  return { src, ...(attributes["async"] === undefined && { defer: true }), ...attributes };
}

/** `data-third-party`: how the page's own scripts find out that others run beside them (app/ui/hooks/third-party-scripts.ts). */
function scriptTag(attributes: Attributes, nonce: string): string {
  return element("script", { nonce, "data-third-party": true, ...attributes });
}

function element(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === true ? ` ${key}` : ` ${key}="${escaped(value)}"`,
  );
  return `<${name}${written.join("")}>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
