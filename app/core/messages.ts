/** Languages that every messages file has; adding a second one makes the compiler require it in each file. */
const languages = ["en"] as const;
export type Language = (typeof languages)[number];

/** The texts of one page or email, in every language. */
export type Messages<Texts> = Record<Language, Texts>;

/** Some of the texts, with the same types. A list is replaced as a whole. */
export type PartOf<Texts> = Texts extends ((...facts: never[]) => unknown) | readonly unknown[]
  ? Texts
  : Texts extends object
    ? { readonly [Name in keyof Texts]?: PartOf<Texts[Name]> }
    : Texts;

/** The texts, with a product's own in place of some of them. */
export function overrideTexts<Texts>(texts: Texts, own: PartOf<Texts> | undefined): Texts {
  if (own === undefined) return texts;
  if (!isGroup(texts) || !isGroup(own)) return own as Texts;
  const replaced = Object.entries(own).map(([name, text]) => [name, overrideTexts(texts[name], text as undefined)]);
  return { ...texts, ...Object.fromEntries(replaced) };
}

/** Texts by name, neither a list nor an element of React. */
function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("$$typeof" in value);
}
