/** Decides what an operator's search term is: what the customer wrote, or an id that Stripe shows. Called from `findPerson`. */
import { parseEmailAddress } from "#app/core/text/email-address.ts";

/** Part of a name in two spellings. */
export type Spelled = { typed: string; capitals: string };

export type SearchTerm =
  | { kind: "address"; canonical: string }
  | { kind: "number"; year: number; inYear: number }
  | { [Kind in IdKind]: { kind: Kind; id: string } }[IdKind]
  /** An id of a feature, by its prefix. */
  | { kind: "feature"; prefix: string; id: string }
  | { kind: "name"; name: string };

const prefixes = {
  ord: "order",
  acc: "account",
  cus: "customer",
  sub: "subscription",
  in: "invoice",
  cs: "checkout",
  evt: "event",
  cbtxn: "credit",
  // A payment, charge, refund or dispute: Stripe knows its customer.
  pi: "payment",
  ch: "payment",
  py: "payment",
  re: "payment",
  pyr: "payment",
  du: "payment",
  dp: "payment",
} as const;

type IdKind = (typeof prefixes)[keyof typeof prefixes];

/** A name matches in part. `ofFeatures` are the prefixes of their ids. */
export function readSearchTerm(typed: string, ofFeatures: readonly string[]): SearchTerm {
  const address = parseEmailAddress(typed);
  if (address) return { kind: "address", canonical: address.canonical };
  const [, year, inYear] = /^#?(\d{4})-(\d{1,9})$/.exec(typed) ?? [];
  if (year && inYear) return { kind: "number", year: Number(year), inYear: Number(inYear) };
  const [, prefix = ""] = /^([a-z]{2,5})_\w{3,200}$/.exec(typed) ?? [];
  if (ofFeatures.includes(prefix)) return { kind: "feature", prefix, id: typed };
  const kind = Object.hasOwn(prefixes, prefix) ? prefixes[prefix as keyof typeof prefixes] : null;
  return kind === null ? { kind: "name", name: typed } : { kind, id: typed };
}

/** SQLite ignores case for ASCII only. So a name is searched as typed and, if it differs, with its words capitalised. */
export function spellings(name: string): Spelled {
  const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const capitals = name.replace(
    /(^|[\s-])(\p{Ll})/gu,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
  return { typed: lower(name), capitals: lower(capitals) };
}
