/**
 * A fingerprint of what a page's body says: how many elements it has, and a checksum of its text. The server takes it from the HTML that it
 * sends, the browser from the elements that it finds: they differ if an extension or a translator was there before React.
 */

/** A browser with scripts parses what is inside them as text; extensions may add some. */
const leftOut = ["script", "noscript", "style"];

/** Characters that React writes as entities; neither side counts them. */
const escaped = new Set(["&", "<", ">", '"', "'"].map((character) => character.charCodeAt(0)));
const ampersand = "&".charCodeAt(0);
const lessThan = "<".charCodeAt(0);

/** Of HTML as React writes it: escaped, and with every tag that isn't void closed. */
export function fingerprintHtml(html: string): string {
  const end = html.lastIndexOf("</body>");
  let elements = 0;
  let text = 0;
  const skipTo = (mark: string, from: number) => {
    const at = html.indexOf(mark, from);
    return at < 0 ? end : at;
  };
  for (let at = skipTo(">", html.indexOf("<body")) + 1; at < end; at += 1) {
    const code = html.charCodeAt(at);
    if (code === ampersand) at = skipTo(";", at);
    else if (code === lessThan) {
      const tag = leftOut.find((name) => html.startsWith(name, at + 1));
      if (tag) at = skipTo(`</${tag}>`, at);
      else if (isLetter(html.charCodeAt(at + 1))) elements += 1;
      at = skipTo(">", at);
    } else text = addTo(text, code);
  }
  return `${elements} ${text}`;
}

/** Of the body's own nodes. */
export function fingerprintNodes(nodes: Iterable<Node>): string {
  let elements = 0;
  let text = 0;
  const visit = (node: Node) => {
    if (node instanceof Text) {
      for (let at = 0; at < node.length; at += 1) {
        const code = node.data.charCodeAt(at);
        if (!escaped.has(code)) text = addTo(text, code);
      }
    } else if (node instanceof Element && !leftOut.includes(node.localName)) {
      elements += 1;
      for (const child of node.childNodes) visit(child);
    }
  };
  for (const node of nodes) visit(node);
  return `${elements} ${text}`;
}

function addTo(sum: number, code: number): number {
  return (Math.imul(sum, 31) + code) | 0;
}

/** Of ASCII: tags begin with one, closing tags and comments don't. */
function isLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}
