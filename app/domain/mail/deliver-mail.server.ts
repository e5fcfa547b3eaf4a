import type { App } from "#app/context.ts";
import { seal, unseal } from "#app/domain/kernel/digest.ts";
import { type Id, newId } from "#app/domain/kernel/id.ts";
import { wordsFor } from "./letters.words.ts";
import { renderLetter } from "./render-letter.ts";
import { type Letter, nextTryAt } from "./rules.ts";
import { changeAfterFailure, changeToSent, listDue, type QueuedMail, takeMail } from "./store.server.ts";

/**
 * Prepares a mail for `addMail`: sealed, so that neither code nor address can be read from the table. With a `cause`
 * (an order's id and its state, say) the mail goes by that name and can be queued only once.
 */
export async function sealLetter(
  app: Pick<App, "pepper" | "random" | "clock">,
  to: string,
  letter: Letter,
  cause?: string,
): Promise<QueuedMail> {
  const id: Id<"mail"> = cause ? `mail_${cause}` : newId("mail", app.random);
  const sealed = await seal(app.pepper, JSON.stringify({ to, letter }), app.random);
  return { id, template: letter.template, sealed, now: app.clock() };
}

/**
 * One try for one mail; `absent` when another try holds it or it has left. Runs after the commit (`app.later`) and from
 * the sweep. A Worker killed between sending and noting it sends twice: rather twice than never.
 */
export async function deliverMail(
  app: Pick<App, "db" | "clock" | "pepper" | "product" | "mail">,
  id: string,
): Promise<"sent" | "absent" | "put-off"> {
  const now = app.clock();
  const [mail] = await takeMail(app.db, id, now);
  if (!mail?.sealed) return "absent";
  const { to, letter } = JSON.parse(await unseal(app.pepper, mail.sealed)) as { to: string; letter: Letter };
  const sender = { product: app.product.name, support: app.product.support };
  const sent = await app.mail.send(renderLetter(wordsFor(letter, sender), to, sender));
  if (sent.ok) {
    await changeToSent(app.db, id, app.clock());
    return "sent";
  }
  await changeAfterFailure(app.db, id, nextTryAt(mail.tries, app.clock()));
  return "put-off";
}

/** The sweep's share: what is due, a few at a time, so that one run of the clock stays short. */
export async function deliverDueMails(app: Pick<App, "db" | "clock" | "pepper" | "product" | "mail">): Promise<void> {
  const due = await listDue(app.db, app.clock(), 25);
  for (const { id } of due) await deliverMail(app, id);
}
