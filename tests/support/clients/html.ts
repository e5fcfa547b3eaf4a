/** `action`: where this button sends the form instead. */
export type Button = { name: string | null; value: string; label: string; action: string | null };
export type Form = { action: string | null; values: Record<string, string>; buttons: Button[] };

/** A text as `textIn` finds it on a page, where every kind of space is one. */
export function asShown(text: string): string {
  return collapse(text);
}

/** The visible text of a page. */
export function textIn(html: string): string {
  const body = html.replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, " ").replace(/<head>[\s\S]*?<\/head>/, " ");
  return collapse(decode(body.replace(/<!--[\s\S]*?-->/g, "").replace(/<[^>]+>/g, " ")));
}

export function headingIn(html: string): string {
  return decode((/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? "").replace(/<[^>]+>/g, "")).trim();
}

/** The forms of a page, with the values that are filled in already. */
export function formsIn(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes = "", inside = ""]) => ({
    action: attribute(attributes, "action"),
    values: valuesIn(inside),
    buttons: [...inside.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/g)].map(([, own = "", label = ""]) => ({
      name: attribute(own, "name"),
      value: attribute(own, "value") ?? "",
      action: attribute(own, "formAction") ?? attribute(own, "formaction"),
      label: collapse(decode(label.replace(/<[^>]+>/g, " "))),
    })),
  }));
}

function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function valuesIn(html: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [, attributes = ""] of html.matchAll(/<input\b([^>]*)>/g)) {
    const name = attribute(attributes, "name");
    const type = attribute(attributes, "type");
    const isChoice = type === "checkbox" || type === "radio";
    if (name && (!isChoice || /\bchecked\b/.test(attributes))) values[name] = attribute(attributes, "value") ?? "";
  }
  for (const [, attributes = "", options = ""] of html.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)) {
    const name = attribute(attributes, "name");
    const chosen = /<option\b([^>]*\bselected\b[^>]*)>/.exec(options)?.[1] ?? /<option\b([^>]*)>/.exec(options)?.[1];
    if (name) values[name] = attribute(chosen ?? "", "value") ?? "";
  }
  return values;
}

function attribute(text: string, name: string): string | null {
  const found = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(text)?.[1];
  return found === undefined ? null : decode(found);
}

function decode(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&amp;", "&");
}
