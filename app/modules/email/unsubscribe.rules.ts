/**
 * Decides which emails can be stopped by one click in the mailbox (RFC 8058), and for whom its link is. Invariants: a link is signed, names no
 * address, and stops one subject for one recipient; what must be read (codes, invoices) can't be stopped. Called from `deliver-email` and
 * the page `/unsubscribe`.
 */
import { keyedHash, matchesKeyedHash } from "#app/core/hash.ts";
import { type AccountId, type EntryId, readId } from "#app/core/id.ts";
import { pagePaths } from "#app/core/page-paths.ts";
import { emailKinds, kindOf } from "./rules.ts";

/** A kind of optional email, or those about the waitlist that go to many at once. */
const unsubscribeSubjects = ["waitlist", ...emailKinds] as const;
export type UnsubscribeSubject = (typeof unsubscribeSubjects)[number];

export type Recipient = AccountId | EntryId;
export type Unsubscription = { subject: UnsubscribeSubject; recipient: Recipient };

/** Emails about the waitlist that nobody asked for a moment ago. */
const ofWaitlist: ReadonlySet<string> = new Set(["waitlist-invited", "waitlist-reminder", "doors-open"]);

/** What the link of an email with this template stops. Null if it has none. */
export function unsubscribeSubjectOf(template: string): UnsubscribeSubject | null {
  return ofWaitlist.has(template) ? "waitlist" : kindOf(template);
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
export async function readUnsubscribeToken(pepper: string, token: string): Promise<Unsubscription | null> {
  const [wanted = "", id = "", hash = "", ...more] = token.split(".");
  const subject = unsubscribeSubjects.find((known) => known === wanted);
  const recipient = readId("acc", id) ?? readId("ent", id);
  if (subject === undefined || recipient === null || more.length > 0) return null;
  return (await matchesKeyedHash(pepper, use, `${subject}.${recipient}`, hash)) ? { subject, recipient } : null;
}

/** The headers by which a mailbox shows its own button. https://www.rfc-editor.org/rfc/rfc8058 */
export function unsubscribeHeaders(url: string): Record<string, string> {
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}
