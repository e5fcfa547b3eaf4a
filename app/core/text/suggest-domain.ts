/**
 * Decides whether the domain of an address looks mistyped, and what was meant. Invariants: a domain that is in use by
 * itself is never questioned, and the part before the @ stays as typed. It is a suggestion, never a refusal. Called when a visitor signs
 * up or in, asks for an invitation or withdraws from a contract, and when a user changes their address.
 */
import type { EmailAddress } from "#app/core/text/email-address.ts";

/** Providers whose names are mistyped, and every ending under which they have mailboxes. */
const providers: Readonly<Record<string, readonly string[]>> = {
  gmail: ["com"],
  googlemail: ["com"],
  outlook: ["com", "de", "fr", "it", "es", "at", "dk", "be", "com.br"],
  hotmail: ["com", "co.uk", "de", "fr", "it", "es", "nl", "be", "se", "dk", "no", "com.br"],
  yahoo: ["com", "co.uk", "de", "fr", "it", "es", "ca", "ie", "se", "com.br", "co.in", "co.jp", "com.au"],
  icloud: ["com"],
  protonmail: ["com", "ch"],
  fastmail: ["com", "fm"],
  comcast: ["net"],
  btinternet: ["com"],
  "t-online": ["de"],
  freenet: ["de"],
  wanadoo: ["fr"],
  laposte: ["net"],
};

/** Real domains that are one letter away from a provider's. */
// oxfmt-ignore
const similarDomains: ReadonlySet<string> = new Set([
  "mail.com", "email.com", "ymail.com", "fmail.com", "cloud.com", "wahoo.com", "fastmail.co.uk",
]);

/** Endings that don't exist, and the one that was meant. */
const mistypedEndings: Readonly<Record<string, string>> = {
  con: "com",
  cmo: "com",
  ocm: "com",
  comm: "com",
  coom: "com",
  cpm: "com",
  vom: "com",
  xom: "com",
  nte: "net",
  ent: "net",
  nett: "net",
  ogr: "org",
  rog: "org",
};

/** Providers with one ending: every other one is mistyped. */
const soleEndings: ReadonlySet<string> = new Set(["gmail", "googlemail", "icloud"]);

/** Shorter names are one letter away from too many real ones. */
const nameLengthMin = 5;
/** Names from this length on may have two slips. */
const longNameLength = 7;

/** The address that was probably meant; null if the domain looks right. */
export function suggestAddress({ original, canonical }: EmailAddress): string | null {
  const domain = suggestDomain(canonical.slice(canonical.lastIndexOf("@") + 1));
  return domain && `${original.slice(0, original.lastIndexOf("@"))}@${domain}`;
}

/** The domain that was probably meant; null if it looks right. */
export function suggestDomain(domain: string): string | null {
  if (similarDomains.has(domain)) return null;
  const corrected = correctEnding(domain);
  const [name, ending] = splitOnce(corrected);
  const own = providers[name];
  if (own) {
    if (soleEndings.has(name) && own[0] !== ending && !ending.includes(".")) return `${name}.${own[0]}`;
  } else {
    const meant = Object.keys(providers).find((provider) => isSlipOf(name, provider, ending));
    if (meant) return `${meant}.${ending}`;
  }
  return corrected === domain ? null : corrected;
}

function correctEnding(domain: string): string {
  const dot = domain.lastIndexOf(".");
  return `${domain.slice(0, dot)}.${mistypedEndings[domain.slice(dot + 1)] ?? domain.slice(dot + 1)}`;
}

function splitOnce(domain: string): [string, string] {
  const dot = domain.indexOf(".");
  return [domain.slice(0, dot), domain.slice(dot + 1)];
}

function isSlipOf(name: string, provider: string, ending: string): boolean {
  if (provider.length < nameLengthMin || !providers[provider]?.includes(ending)) return false;
  return countSlips(name, provider) <= (provider.length < longNameLength ? 1 : 2);
}

/** How many letters were added, left out, replaced, or swapped with the next one (Damerau-Levenshtein, restricted). */
export function countSlips(typed: string, meant: string): number {
  const rows: number[][] = [Array.from({ length: meant.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= typed.length; row += 1) {
    rows[row] = [row];
    for (let column = 1; column <= meant.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (typed[row - 1] === meant[column - 1] ? 0 : 1);
      const isSwap = typed[row - 1] === meant[column - 2] && typed[row - 2] === meant[column - 1];
      const swapped = isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      rows[row]?.push(Math.min(replaced, at(row - 1, column) + 1, at(row, column - 1) + 1, swapped));
    }
  }
  return at(typed.length, meant.length);
}
