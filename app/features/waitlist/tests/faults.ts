import { count } from "#tests/faults/race.ts";
import { shown, type Unfinished, type Way } from "#tests/faults/way.ts";
import type { Site } from "#tests/support/site/site.ts";
import { waitlistMessages } from "../page/messages.ts";
import { waitlistVisitors } from "./http/waitlist-visitors.ts";

/** A waitlist entry, by the link in the email; some leave it again. */
export const waitlistVisitor: Way = async (site, { address, random, promise }) => {
  await (await site.visitor().open("/waitlist")).press(waitlistMessages.en.join.submit, { email: address });
  const [email] = await site.emailsTo(address);
  const visitor = await site.visitor().open(/\/waitlist\?confirm=\w+/.exec(email?.text ?? "")?.[0] ?? "/");
  await visitor.press(waitlistMessages.en.confirm.open.button);
  promise("place");
  if (random() < 0.3) await visitor.post({ intent: "leave" });
};

export const waitlistPromise = {
  what: "place",
  from: (who: string) => `entries where email_canonical = '${who}' and number is not null`,
};

/** An entry whose link has been emailed. */
export async function unconfirmedEntry(site: Site, mark: string): Promise<Unfinished> {
  const address = `queue-${mark}@example.com`;
  const line = waitlistVisitors(site);
  await line.asked(address);
  const confirming = await site.visitor().open(await line.linkTo(address, "confirm"));
  const { path, body } = confirming.preparePress(waitlistMessages.en.confirm.open.button);
  const asked = { email: `place-${mark}@example.com`, intent: "join" };
  return {
    steps: [
      {
        name: "confirm the place",
        take: () => shown(confirming.post(Object.fromEntries(new URLSearchParams(body)), path)),
      },
      {
        name: "ask for a place",
        take: async () => shown((await site.visitor().open("/waitlist")).post(asked, "/waitlist")),
      },
    ],
    finished: () => count(site, "entries where email_canonical = ?1 and state = 'waiting'", address),
  };
}
