/** What an operator types to find a person: whatever the person wrote, or Stripe shows. */
import { parseEmailAddress } from "#app/core/text/email-address.ts";

/** A part of a name in two spellings. */
export type Spelled = { typed: string; capitals: string };

export type Wanted =
  | { kind: "address"; canonical: string }
  | { kind: "number"; year: number; inYear: number }
  | { [Kind in IdKind]: { kind: Kind; id: string } }[IdKind]
  | { kind: "name"; name: string };

const prefixes = {
  ord: "order",
  acc: "account",
  dev: "device",
  cus: "customer",
  sub: "subscription",
  in: "invoice",
  cs: "checkout",
  evt: "event",
  cbtxn: "credit",
  // A payment, charge, refund or dispute: its customer is asked of Stripe.
  pi: "payment",
  ch: "payment",
  py: "payment",
  re: "payment",
  pyr: "payment",
  du: "payment",
  dp: "payment",
} as const;

type IdKind = (typeof prefixes)[keyof typeof prefixes];

/** A name is a part of one, of a person or of a device. */
export function readWanted(typed: string): Wanted {
  const address = parseEmailAddress(typed);
  if (address) return { kind: "address", canonical: address.canonical };
  const [, year, inYear] = /^#?(\d{4})-(\d{1,9})$/.exec(typed) ?? [];
  if (year && inYear) return { kind: "number", year: Number(year), inYear: Number(inYear) };
  const [, prefix = ""] = /^([a-z]{2,5})_\w{3,200}$/.exec(typed) ?? [];
  const kind = Object.hasOwn(prefixes, prefix) ? prefixes[prefix as keyof typeof prefixes] : null;
  return kind === null ? { kind: "name", name: typed } : { kind, id: typed };
}

/**
 * As SQLite compares: it knows the small forms of ASCII letters alone. So a name is looked for as it was typed, and with its words begun by a
 * capital, where that letter is another.
 */
export function spellings(name: string): Spelled {
  const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const capitals = name.replace(
    /(^|[\s-])(\p{Ll})/gu,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
  return { typed: lower(name), capitals: lower(capitals) };
}
