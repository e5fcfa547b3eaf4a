import { readId } from "#app/core/id.ts";
import { unsubscribeUrl } from "#app/modules/email/unsubscribe.rules.ts";
import { emailedLink } from "#tests/browser/support/steps.ts";
import type { Site } from "#tests/support/site/site.ts";
import { waitlistMessages } from "../page/messages.ts";

/** People on the waitlist, one after the other, and the addresses that only they know. */
export async function waitingVisitors(site: Site): Promise<Record<string, string>> {
  const onWaitlist = site.visitor();
  await onWaitlist.open("/waitlist");
  await onWaitlist.press(waitlistMessages.en.join.submit, { email: "waiting@example.com" });
  const confirm = await emailedLink(site, "waiting@example.com", "/waitlist");
  await onWaitlist.open("/waitlist");
  await onWaitlist.press(waitlistMessages.en.join.submit, { email: "confirmed@example.com" });
  await onWaitlist.open(await emailedLink(site, "confirmed@example.com", "/waitlist"));
  await onWaitlist.press(waitlistMessages.en.confirm.open.button);
  // The same mailbox by a referral link: the entry is under review.
  const reviewed = site.visitor();
  await reviewed.open(`/waitlist?ref=${/\/waitlist\?ref=(\w+)/.exec(onWaitlist.html)?.[1]}`);
  await reviewed.press(waitlistMessages.en.join.submit, { email: "confirmed+2@example.com" });
  await reviewed.open(await emailedLink(site, "confirmed+2@example.com", "/waitlist"));
  await reviewed.press(waitlistMessages.en.confirm.open.button);
  const invited = site.visitor();
  await invited.open("/waitlist");
  await invited.press(waitlistMessages.en.join.submit, { email: "invited@example.com" });
  await invited.open(await emailedLink(site, "invited@example.com", "/waitlist"));
  await invited.press(waitlistMessages.en.confirm.open.button);
  const returned = { bounced: site.visitor(), complained: site.visitor() };
  for (const [kind, visitor] of Object.entries(returned)) {
    await visitor.open("/waitlist");
    await visitor.press(waitlistMessages.en.join.submit, { email: `${kind}@example.com` });
    await visitor.open(await emailedLink(site, `${kind}@example.com`, "/waitlist"));
    await visitor.press(waitlistMessages.en.confirm.open.button);
    const database = await site.database();
    const sql = "update entries set returned = ? where email_canonical = ?";
    await database.prepare(sql).bind(kind, `${kind}@example.com`).run();
  }
  return {
    confirm,
    entry: onWaitlist.url,
    reviewed: reviewed.url,
    bounced: returned.bounced.url,
    complained: returned.complained.url,
    invitation: await invite(site, "invited@example.com", invited.url),
    unsubscribe: await unsubscribePath(site, "invited@example.com"),
  };
}

/** Where a bulk email to somebody on the waitlist leads whoever wants no more of them. */
async function unsubscribePath(site: Site, address: string): Promise<string> {
  const database = await site.database();
  const row = await database
    .prepare("select id from entries where email_canonical = ?")
    .bind(address)
    .first<string>("id");
  const recipient = readId("ent", row);
  if (!recipient) throw new Error("Nobody with this address is on the waitlist");
  return unsubscribeUrl({ origin: "", pepper: "local-code-pepper" }, { subject: "waitlist", recipient });
}

/** An entry of the waitlist is invited; returns its invitation. */
async function invite(site: Site, address: string, place: string): Promise<string> {
  const database = await site.database();
  const sql = `update entries set state = 'invited', invitations = 1, invitation_expires_at = 9000000000000
    where email_canonical = ?`;
  await database.prepare(sql).bind(address).run();
  return new URL(place).searchParams.get("entry") ?? "";
}
