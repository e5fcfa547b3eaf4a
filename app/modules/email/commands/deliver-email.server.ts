import { batchNamed } from "#app/db/batch.server.ts";
import { readJson } from "#app/db/json-column.ts";
import type { App, Base, Outbox, Secrets, Site } from "#app/app.ts";
import { seal, unseal } from "#app/core/seal.ts";
import { canonicalAddress, parseEmailAddress } from "#app/core/text/email-address.ts";
import { type EmailId, newId, readId } from "#app/core/id.ts";
import { unsubscribeText } from "../messages/endings.messages.ts";
import { type Numbers, withNumbers } from "../receipt-facts.rules.ts";
import { emailTextOf, productFactsOf } from "../write-text.rules.ts";
import { renderEmail } from "../render-email.ts";
import { readRecipient } from "../reads/read-recipient.server.ts";
import { holdsCode, type SealedEmail } from "../failed-emails.rules.ts";
import { decideRetry, othersTriedAt } from "../retries.rules.ts";
import { emailIdOf, kindOf, type Email, retryWaitsMs } from "../rules.ts";
import type { EmailContent } from "../templates.rules.ts";
import { unsubscribeHeaders, unsubscribeSubjectOf, unsubscribeUrl } from "../unsubscribe.rules.ts";
import { listDueCodeEmails, listDueEmails, postponeDueEmails } from "../everyone.queries.server.ts";
import { statementsOnReturn } from "../returned-emails.queries.server.ts";
import { changeAfterFailure, changeToSent, type QueuedEmail, removeUnwanted, leaseEmail } from "../queries.server.ts";

/**
 * Prepares an email for `addEmail`: encrypted, so that neither code nor address can be read from the table. With a `key` (such as an
 * order's id and state), the email has that id and can be queued only once.
 */
export async function sealEmail(
  app: Pick<App, "pepper" | "random" | "clock">,
  to: string,
  content: EmailContent,
  key?: string,
): Promise<QueuedEmail> {
  const id = key ? emailIdOf(key) : newId("mail", app.random);
  const address = parseEmailAddress(to);
  // Addressed to the domain's ASCII form, which every mail server accepts.
  const sealed = await encryptEmail(app, { to: address?.deliverable ?? to, content });
  return { id, template: content.template, address: address?.canonical ?? to, sealed, now: app.clock() };
}

function encryptEmail({ pepper, random }: Pick<App, "pepper" | "random">, email: SealedEmail): Promise<string> {
  return seal(pepper, JSON.stringify(email), random);
}

/**
 * Tries once to send an email; `absent` if another try holds it or it was sent. Called after the commit (`app.later`) and from the cron
 * job. If a Worker is killed between sending and storing that, the email is sent twice rather than never.
 */
export async function deliverEmail(
  app: Base & Site & Secrets & Outbox,
  id: EmailId,
): Promise<"sent" | "absent" | "not-sent" | "quota-exhausted"> {
  const now = app.clock();
  const [email] = await leaseEmail(app.db, id, now);
  if (!email?.sealed) return "absent";
  const link = await unsubscribeLinkOf(app, email);
  // Tries that never reported back count too, so that an email that crashes every Worker is given up like any other.
  const opened = email.tries > retryWaitsMs.length ? null : await openSealed(app, email.sealed, numbersOf(email), link);
  const written = opened && link !== null ? { ...opened, headers: unsubscribeHeaders(link) } : opened;
  if (written && (await isUnwanted(app, email, written.to))) return "absent";
  const sent = written && (await app.email.send({ id, ...written }));
  if (sent?.ok) {
    await changeToSent(app.db, id, sent.value.serviceId, app.clock());
    return "sent";
  }
  // An email that can't be decrypted (encrypted with another pepper) fails immediately and doesn't delay the others.
  const refusal = sent && !sent.ok ? sent.refusal : null;
  const refusedAt = app.clock();
  const { retryAt, tries } = refusal ? decideRetry(email, refusal, refusedAt) : { retryAt: null, tries: email.tries };
  const sealed = retryAt === null ? await storedOfFailed(app, email.template, email.sealed) : email.sealed;
  const failure = { retryAt, tries, sealed, refusal: refusal?.reason ?? null };
  if (refusal?.reason !== "quota-exhausted") {
    const isRefused = written && refusal?.reason === "address-refused";
    await app.db.batch([
      changeAfterFailure(app.db, email, { ...failure, quotaUntil: null }),
      ...(isRefused ? statementsOnReturn(app, { address: canonicalAddress(written.to), kind: "bounced" }) : []),
    ]);
    return "not-sent";
  }
  const quotaUntil = refusal.retryAfterMs === null ? null : refusedAt + refusal.retryAfterMs;
  await app.db.batch([
    changeAfterFailure(app.db, email, { ...failure, quotaUntil }),
    postponeDueEmails(app.db, othersTriedAt(refusal, refusedAt), refusedAt),
  ]);
  return refusal.reason;
}

/** Null if emails of this kind can't be stopped, or if the recipient is nobody that we know. */
async function unsubscribeLinkOf(
  app: Pick<App, "origin" | "pepper" | "hooks">,
  { template, recipientId }: { template: string; recipientId: string | null },
): Promise<string | null> {
  const subject = unsubscribeSubjectOf(app, template);
  const recipient = readId("acc", recipientId) ?? readId("ent", recipientId);
  return subject === null || recipient === null ? null : unsubscribeUrl(app, { subject, recipient });
}

/** An operator may resend a failed email without a code; of one with a code, only the recipient stays stored. */
async function storedOfFailed(
  app: Pick<App, "pepper" | "random">,
  template: string,
  sealed: string,
): Promise<string | null> {
  if (!holdsCode(template)) return sealed;
  const to = await readRecipient(app, sealed);
  return to && encryptEmail(app, { to, content: null });
}

/** The user may have switched this kind off since the email was queued. */
async function isUnwanted({ db }: Pick<App, "db">, { id, template }: { id: EmailId; template: string }, to: string) {
  if (kindOf(template) === null) return false;
  const removed = await removeUnwanted(db, { id, template, address: canonicalAddress(to) });
  return removed.length > 0;
}

function numbersOf({
  orderNumber: order,
  creditNote,
}: {
  orderNumber: string | null;
  creditNote: string | null;
}): Numbers {
  return { order, creditNote };
}

/** An email is queued in the batch that gives its documents their numbers, so they are known only now. */
async function openSealed(
  app: Pick<App, "pepper" | "product" | "emailTexts" | "report">,
  sealed: string,
  numbers: Numbers,
  unsubscribeLink: string | null,
): Promise<Email | null> {
  try {
    // Only `encryptEmail` writes this column, so its content has this type.
    const { to, content } = readJson<SealedEmail>("object", await unseal(app.pepper, sealed));
    return content && writeEmail(app, { to, content: withNumbers(content, numbers), unsubscribeLink });
  } catch (error) {
    app.report(error);
    return null;
  }
}

export function writeEmail(
  { product, emailTexts }: Pick<App, "product" | "emailTexts">,
  { to, content, unsubscribeLink = null }: { to: string; content: EmailContent; unsubscribeLink?: string | null },
): Email {
  const names = productFactsOf(product);
  const text = emailTextOf(emailTexts, content, names);
  // Of a kind that is switched off in the settings, the link leads there.
  const off =
    unsubscribeLink === null ? text.off : (text.off ?? { ...unsubscribeText[text.language], url: unsubscribeLink });
  return renderEmail({ ...text, ...(off && { off }) }, to, names);
}

/** Emails of a run of the cron job, besides those that go to many at once, so that it stays short. */
const othersPerRunMax = 25;

/**
 * Sends what is due, codes first: someone waits for them, and what is left of the service's quota is theirs. Once it is used up the rest of
 * the run would be refused, too.
 */
export async function deliverDueEmails(app: Base & Site & Secrets & Outbox): Promise<void> {
  const now = app.clock();
  const bulk = app.hooks.map(({ emailsPerMinute }) => emailsPerMinute?.(app.product) ?? 0);
  const perRunMax = bulk.reduce((sum, each) => sum + each, othersPerRunMax);
  const { codes, all } = await batchNamed(app.db, {
    codes: listDueCodeEmails(app.db, now, perRunMax),
    all: listDueEmails(app.db, now, perRunMax),
  });
  const due = new Set([...codes, ...all].map(({ id }) => id));
  for (const id of [...due].slice(0, perRunMax)) {
    if ((await deliverEmail(app, id)) === "quota-exhausted") return;
  }
}
