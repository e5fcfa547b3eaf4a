/**
 * Decides which emails can be stopped by one click in the mailbox (RFC 8058), and for whom its link is. Invariants: a link is signed, names no
 * address, and stops one subject for one recipient; what must be read (codes, invoices) can't be stopped. Called from `deliver-email` and
 * the page `/unsubscribe`.
 */
import { keyedHash, matchesKeyedHash } from "#app/core/hash.ts";
import { type AccountId, type EntryId, readId } from "#app/core/id.ts";
import { pagePaths } from "#app/core/page-paths.ts";
import { emailKinds, kindOf } from "./rules.ts";

/** `subject`: a kind of optional email, or one of `OptionalEmails`. */
export type Unsubscription = { subject: string; recipient: AccountId | EntryId };

type Hooked = { hooks: readonly { optionalEmails?: { subject: string; templates: readonly string[] } }[] };

/** What the link of an email with this template stops. Null if it has none. */
export function unsubscribeSubjectOf({ hooks }: Hooked, template: string): string | null {
  const own = hooks.find(({ optionalEmails }) => optionalEmails?.templates.includes(template));
  return own?.optionalEmails?.subject ?? kindOf(template);
}

const use = "unsubscribe";

/** The same for each email to a recipient about a subject, so that a service which is asked twice gets the same email. */
export async function unsubscribeUrl(
  { origin, pepper }: { origin: string; pepper: string },
  { subject, recipient }: Unsubscription,
): Promise<string> {
  const said = `${subject}.${recipient}`;
  return `${origin}${pagePaths.unsubscribe}?token=${said}.${await keyedHash(pepper, use, said)}`;
}

/** Null if we didn't sign it. */
export async function readUnsubscribeToken(
  { hooks, pepper }: Hooked & { pepper: string },
  token: string,
): Promise<Unsubscription | null> {
  const [subject = "", id = "", hash = "", ...more] = token.split(".");
  const known = [...emailKinds, ...hooks.map(({ optionalEmails }) => optionalEmails?.subject)];
  const recipient = readId("acc", id) ?? readId("ent", id);
  if (!known.includes(subject) || recipient === null || more.length > 0) return null;
  return (await matchesKeyedHash(pepper, use, `${subject}.${recipient}`, hash)) ? { subject, recipient } : null;
}

/** The headers by which a mailbox shows its own button. https://www.rfc-editor.org/rfc/rfc8058 */
export function unsubscribeHeaders(url: string): Record<string, string> {
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}
