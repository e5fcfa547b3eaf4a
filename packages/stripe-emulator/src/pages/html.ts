/** Markup that is already safe. Everything else on a page is escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | null | false | Markup | Piece[];

export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return new Markup(parts.map((part, index) => part + render(pieces[index] ?? null)).join(""));
}

function render(piece: Piece): string {
  if (piece === null || piece === false) return "";
  if (Array.isArray(piece)) return piece.map(render).join("");
  return piece instanceof Markup ? piece.text : escape(String(piece));
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");

/** An attribute without a value is present or absent. */
export const when = (isSet: boolean, attribute: string): string => (isSet ? ` ${attribute}` : "");

/** The site's links come from API parameters: only http(s) addresses become links. */
export const linkTo = (address: string | null): string =>
  /^https?:$/.test(URL.parse(address ?? "")?.protocol ?? "") ? (address ?? "#") : "#";

export function page(title: string, body: Markup, { status = 200, isWide = false } = {}): Response {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Stripe emulator</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/local-stripe.css" />
      </head>
      <body>
        <header class="banner"><a href="/">Stripe emulator</a><span>stands in for Stripe: no real money</span></header>
        <main class="${isWide ? "wide" : "narrow"}">${body}</main>
      </body>
    </html>`;
  return new Response(document.text, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      // No form-action: the browser would apply it to a form's redirect to the site.
      "content-security-policy":
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
      "referrer-policy": "strict-origin-when-cross-origin",
      "x-content-type-options": "nosniff",
    },
  });
}

export const seeOther = (request: Request, path: string): Response =>
  new Response(null, { status: 303, headers: { location: new URL(path, request.url).href } });

export const formatTime = (unixSeconds: number): string =>
  `${new Date(unixSeconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
