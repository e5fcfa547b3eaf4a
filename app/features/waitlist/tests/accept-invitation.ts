import type { Visitor } from "#tests/support/clients/visitor.ts";
import type { Site } from "#tests/support/site/site.ts";
import { waitlistEntryMessages } from "../page/entry.messages.ts";
import { waitlistMessages } from "../page/messages.ts";
import { waitlistVisitors } from "./http/waitlist-visitors.ts";

/** Joins the waitlist with an address, and accepts the invitation that follows. */
export async function acceptInvitation(
  site: Site,
  visitor: Visitor,
  address: string,
  emailsBefore: number,
): Promise<Visitor> {
  const line = waitlistVisitors(site);
  await line.asked(address);
  const place = await site.visitor().open(await line.linkTo(address, "confirm", emailsBefore + 1));
  await place.press(waitlistMessages.en.confirm.open.button);
  if ((await line.invite(1)) !== 1) throw new Error("Nobody was invited");
  await site.runCron();
  await visitor.open(await line.linkTo(address, "entry", emailsBefore + 2));
  return visitor.press(waitlistEntryMessages.en.invitation.button);
}
