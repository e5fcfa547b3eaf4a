import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { confirmEntry } from "#app/modules/waitlist/commands/confirm-entry.server.ts";
import { joinWaitlist } from "#app/modules/waitlist/commands/join-waitlist.server.ts";
import type { Actor } from "./actor.ts";
import { addressOf } from "./address.ts";
import type { Person } from "./play.ts";
import { ago, london, person, signsUp } from "./script.ts";
import { must, type Stage } from "./stage.ts";

/** Including the person with an account, 240 are on the waitlist. */
const before = 150;
const after = 89;
/** Number of people who join concurrently. */
const sideBySide = 10;

/** The token that a friend joins by, once it is known. */
const codes = new WeakMap<Actor, string>();

/** The waitlist. Most people on it have only an address, which can't be used to sign in. */
export const waiting: Person[] = [
  person("wanda", "on the free plan and one of 240 on a waitlist; two friends moved her up", [
    ago({ days: 3, hours: 3 }, ({ stage }) => joinQueue(stage, "early", before)),
    signsUp({ days: 3 }, { name: "Wanda Hughes", locale: "en-GB", timeZone: london }),
    ago({ days: 3, minutes: -5 }, async (wanda) => codes.set(wanda, await wanda.waitsInQueue())),
    ago({ days: 2 }, async (wanda) => joinQueue(wanda.stage, "friend", 2, codes.get(wanda))),
    ago({ days: 1, hours: 12 }, ({ stage }) => joinQueue(stage, "late", after - 2)),
  ]),
];

async function joinQueue(stage: Stage, name: string, count: number, ref?: string): Promise<void> {
  if (stage.app.gate.kind === "none") return;
  const crowd = Array.from({ length: count }, (_, nth) => addressOf(`${name}-${nth + 1}`));
  for (let next = 0; next < count; next += sideBySide) {
    const some = crowd.slice(next, next + sideBySide);
    await Promise.all(some.map((address, nth) => join(stage, address, `198.51.${next}.${nth + 1}`, ref ?? null)));
    await stage.settled();
    await Promise.all(some.map((address) => confirm(stage, address)));
  }
}

async function join(stage: Stage, typed: string, ip: string, ref: string | null): Promise<void> {
  const address = parseEmailAddress(typed);
  if (address) must(await joinWaitlist(stage.app, { address, ref, ip }));
}

/** By the link in the email. */
async function confirm(stage: Stage, address: string): Promise<void> {
  const email = stage.emails.findLast(({ to }) => to === address);
  const token = /[?&]confirm=([\w-]+)/.exec(email?.text ?? "")?.[1];
  must(await confirmEntry(stage.app, token ?? ""));
}
