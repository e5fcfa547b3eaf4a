import { waveHour, waveOf } from "../../invitations.rules.ts";
import { dayMs, hourMs } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import { waitlistMessages } from "../../page/messages.ts";
import { waitlistEntryMessages } from "../../page/entry.messages.ts";
import { anyNumbersIn } from "#tests/support/clients/message-patterns.ts";
import type { Site } from "#tests/support/site/site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

/** How long before the cron job's wave these tests begin their day. */
const earlyHours = 2;

/**
 * The actions of people on the waitlist, of the team and of the cron job; the site's day begins early in the morning.
 */
export function waitlistVisitors(site: Site) {
  const morning = waveOf(Date.now() + dayMs, product.timeZone).startsAt - earlyHours * hourMs;
  return {
    /** The site's clock, this many days and hours after that morning: two hours later the day's wave is sent. */
    setTime: (days: number, hours = 0) => site.setClock((morning - Date.now() + hours * hourMs) / dayMs + days),
    waveHour,
    /** Joins with an address, by a referral link if there is one: not confirmed yet. */
    async asked(address: string, link = "/waitlist"): Promise<Visitor> {
      const visitor = await site.visitor().open(link);
      return visitor.press(waitlistMessages.en.join.submit, { email: address });
    },
    /** Joins and confirms by the emailed link: the visitor is on the entry's own page. */
    async joined(address: string, link = "/waitlist"): Promise<Visitor> {
      await this.asked(address, link);
      const visitor = await site.visitor().open(await this.linkTo(address, "confirm"));
      return visitor.press(waitlistMessages.en.confirm.open.button);
    },
    /** The link of a kind in the newest email to an address, which is the `nth` one. */
    async linkTo(address: string, kind: "confirm" | "entry", nth = 1): Promise<string> {
      const [email] = await site.emailsTo(address, nth);
      const link = new RegExp(`/waitlist\\?${kind}=[0-9a-z]+`).exec(email?.text ?? "")?.[0];
      if (!link) throw new Error(`No ${kind} link in the newest email to ${address}: ${email?.subject}`);
      return link;
    },
    /** How many are ahead and behind, as the page says. */
    async rank(visitor: Visitor): Promise<[ahead: number, behind: number] | string> {
      await visitor.open(visitor.url);
      const { yourPlace, place, aheadAndBehind } = waitlistEntryMessages.en;
      const shown = anyNumbersIn(`${yourPlace} ${place(2, "en")}`).exec(visitor.text())?.[1];
      if (shown === undefined) return visitor.heading();
      const ahead = Number(shown) - 1;
      const counts = Array.from({ length: 100 }, (_, behind) => behind);
      return [ahead, counts.findIndex((behind) => visitor.text().includes(aheadAndBehind({ ahead, behind }, "en")))];
    },
    /** The page's share link, within this site. */
    shareLink: ({ html }: Visitor) => /\/waitlist\?ref=[0-9a-z]+/.exec(html)?.[0] ?? "no link to share",
    /** The team invites the next in line: how many were invited. */
    async invite(count: number): Promise<number> {
      const answer = await site.fetch("/api/operator/invitations", {
        method: "POST",
        headers: { Authorization: "Bearer local-operator-token", "Content-Type": "application/json" },
        body: JSON.stringify({ count }),
      });
      if (!answer.ok) throw new Error(`invite ${count}: ${answer.status} ${await answer.text()}`);
      return ((await answer.json()) as { invited: number }).invited;
    },
    async subjectsTo(address: string, atLeast = 1): Promise<string[]> {
      return (await site.emailsTo(address, atLeast)).map(({ subject }) => subject);
    },
  };
}

/** The entry of an address in the table. */
export async function stateOf(site: Site, address: string): Promise<string> {
  const database = await site.database();
  const row = await database
    .prepare("select state from entries where email_canonical = ?")
    .bind(address)
    .first("state");
  return String(row);
}
