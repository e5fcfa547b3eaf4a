import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { confirmEntry } from "#app/modules/waitlist/commands/confirm-entry.server.ts";
import { joinWaitlist } from "#app/modules/waitlist/commands/join-waitlist.server.ts";
import type { DemoUser } from "./demo-user.ts";
import { addressOf } from "./address.ts";
import type { Person } from "./replay-demo.ts";
import { ago, london, person, signsUp } from "./demo-events.ts";
import { must, type DemoSite } from "./demo-site.ts";

/** Including the person with an account, 240 are on the waitlist. */
const before = 150;
const after = 89;
/** Number of people who join concurrently. */
const sideBySide = 10;

/** The token that a friend joins by, once it is known. */
const codes = new WeakMap<DemoUser, string>();

/** The waitlist. Most people on it have only an address, which can't be used to sign in. */
export const onWaitlist: Person[] = [
  person("wanda", "on the free plan and one of 240 on a waitlist; two friends moved her up", [
    ago({ days: 3, hours: 3 }, ({ site }) => joinQueue(site, "early", before)),
    signsUp({ days: 3 }, { name: "Wanda Hughes", locale: "en-GB", timeZone: london }),
    ago({ days: 3, minutes: -5 }, async (wanda) => codes.set(wanda, await wanda.waitsInQueue())),
    ago({ days: 2 }, async (wanda) => joinQueue(wanda.site, "friend", 2, codes.get(wanda))),
    ago({ days: 1, hours: 12 }, ({ site }) => joinQueue(site, "late", after - 2)),
  ]),
];

async function joinQueue(site: DemoSite, name: string, count: number, ref?: string): Promise<void> {
  if (site.app.gate.kind === "none") return;
  const crowd = Array.from({ length: count }, (_, nth) => addressOf(`${name}-${nth + 1}`));
  for (let next = 0; next < count; next += sideBySide) {
    const some = crowd.slice(next, next + sideBySide);
    await Promise.all(some.map((address, nth) => join(site, address, `198.51.${next}.${nth + 1}`, ref ?? null)));
    await site.settled();
    await Promise.all(some.map((address) => confirm(site, address)));
  }
}

async function join(site: DemoSite, typed: string, ip: string, ref: string | null): Promise<void> {
  const address = parseEmailAddress(typed);
  if (address) must(await joinWaitlist(site.app, { address, ref, ip }));
}

async function confirm(site: DemoSite, address: string): Promise<void> {
  const email = site.emails.findLast(({ to }) => to === address);
  const token = /[?&]confirm=([\w-]+)/.exec(email?.text ?? "")?.[1];
  must(await confirmEntry(site.app, token ?? ""));
}
