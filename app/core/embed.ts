/** The directives of the content security policy that a page may widen for what it embeds. */
export const embedDirectives = [
  "script-src",
  "style-src",
  "img-src",
  "font-src",
  "connect-src",
  "frame-src",
  "media-src",
] as const;
export type EmbedDirective = (typeof embedDirectives)[number];

/** Origins that a page's policy allows besides the site's own. */
type EmbedOrigins = { readonly [directive in EmbedDirective]?: readonly string[] };

/** A script of another company: its address, and the attributes of its tag. `true` stands for an attribute without a value. */
export type EmbedScript = {
  readonly src: string;
  readonly attributes?: { readonly [name: string]: string | true };
};

/** What a page loads from another company. Its tags carry the nonce of the response. */
export type Embed = {
  /** In the order in which they run. */
  readonly scripts?: readonly EmbedScript[];
  /** Code that runs before the scripts, such as `window.queue = window.queue || []`. */
  readonly inline?: string;
  readonly stylesheets?: readonly string[];
  readonly policy?: EmbedOrigins;
};
