const marked: Record<string, string> = {
  a: "à",
  b: "ƀ",
  c: "ç",
  d: "đ",
  e: "è",
  f: "ƒ",
  g: "ğ",
  h: "ĥ",
  i: "ì",
  j: "ĵ",
  k: "ķ",
  l: "ĺ",
  m: "ɱ",
  n: "ñ",
  o: "ò",
  p: "ƥ",
  q: "ɋ",
  r: "ŕ",
  s: "š",
  t: "ţ",
  u: "ù",
  v: "ṽ",
  w: "ŵ",
  x: "ẋ",
  y: "ý",
  z: "ž",
};

/**
 * The texts of a messages file in an invented language: each stays readable, and differs from text that isn't from a
 * messages file.
 */
export function pseudoWords<Texts>(texts: Texts): Texts {
  // The result has the same type as the argument; TypeScript can't follow that through a recursive walk.
  return walk(texts) as Texts;
}

function walk(texts: unknown): unknown {
  // A link target isn't a text.
  if (typeof texts === "string") return /^(\/|https?:)/.test(texts) ? texts : inPseudo(texts);
  if (typeof texts === "function") return (...facts: unknown[]) => walk(texts(...facts));
  if (Array.isArray(texts)) return texts.map(walk);
  if (typeof texts !== "object" || texts === null || "$$typeof" in texts) return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, walk(text)]));
}

function inPseudo(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const small = marked[letter.toLowerCase()] ?? letter;
    return letter === letter.toLowerCase() ? small : small.toUpperCase();
  });
}

const spoken = /aria-(?:label|description|roledescription|valuetext)|alt|title|placeholder|content/;

/** The words of a page that come from no messages file, except for data (`known`): names, addresses, dates. */
export function leftBehind(html: string, known: RegExp): string[] {
  const body = html
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/<(script|style|template|time)\b[\s\S]*?<\/\1>/g, "<i>")
    .replaceAll(/<meta (?!name="description")[^>]*>/g, "")
    // Intl names languages, and the zones have names of their own.
    .replaceAll(/<select[^>]* name="(?:locale|timeZone)"[\s\S]*?<\/select>/g, "");
  const attributes = [...body.matchAll(new RegExp(` (?:${spoken.source})="([^"]*)"`, "g"))].map(
    ([, text = ""]) => text,
  );
  const texts = [...body.matchAll(/>([^<]+)(?=<)/g)].map(([, text = ""]) => text);
  const found = [...attributes, ...texts].filter((text) => /[a-z]{2}/i.test(decode(text).replaceAll(known, "")));
  return [...new Set(found)];
}

function decode(text: string): string {
  return text.replaceAll("&#x27;", "'").replaceAll(/&\w+;/g, " ");
}
