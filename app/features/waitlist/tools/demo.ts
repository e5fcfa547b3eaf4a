import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { product } from "#app/product/config.ts";
import { addressOf, parsed } from "../../../../scripts/demo/address.ts";
import { ago, london, person, signsUp } from "../../../../scripts/demo/demo-events.ts";
import { type DemoSite, must } from "../../../../scripts/demo/demo-site.ts";
import type { DemoUser } from "../../../../scripts/demo/demo-user.ts";
import type { FeatureDemo } from "../../../../scripts/demo/feature-demo.ts";
import type { Chapter } from "../../../../scripts/demo/replay-demo.ts";
import { confirmEntry } from "../commands/confirm-entry.server.ts";
import { joinSignedIn, joinWaitlist } from "../commands/join-waitlist.server.ts";
import { findEntryByAddress } from "../queries.server.ts";

/** Including the person with an account, 240 are on the waitlist. */
const before = 150;
const after = 89;
/** Number of people who join concurrently. */
const sideBySide = 10;

/** The token that a friend joins by, once it is known. */
const codes = new WeakMap<DemoUser, string>();

/** Most people on the waitlist have only an address, which can't be used to sign in. */
export const waitlistChapter: Chapter = {
  title: "On the waitlist",
  people: [
    person("wanda", "on the free plan and one of 240 on a waitlist; two friends moved her up", [
      ago({ days: 3, hours: 3 }, ({ site }) => joinQueue(site, "early", before)),
      signsUp({ days: 3 }, { name: "Wanda Hughes", locale: "en-GB", timeZone: london }),
      ago({ days: 3, minutes: -5 }, async (wanda) => codes.set(wanda, await waits(wanda))),
      ago({ days: 2 }, async (wanda) => joinQueue(wanda.site, "friend", 2, codes.get(wanda))),
      ago({ days: 1, hours: 12 }, ({ site }) => joinQueue(site, "late", after - 2)),
    ]),
  ],
};

/** How many operators see at least. */
export const waitlistCount = { name: "waitlist", least: before + after };

/** Only accounts wait for the gate of a plan. */
const exported = (entry: object) => (product.gate.startsWith("plan:") ? { waitlist: [entry] } : {});

export const waitlist: FeatureDemo = {
  nora: { has: "a place on a waitlist", events: [ago({ days: 1 }, waits)], exported: exported({ state: "waiting" }) },
  wanda: { has: "a place on a waitlist", events: [], exported: exported({ friends: 2 }) },
};

/**
 * Joins the current waitlist and returns the token that friends join by. Empty without a gate, and for the sign-up gate, which an account
 * has passed.
 */
async function waits(person: DemoUser): Promise<string> {
  const { app } = person.site;
  const gate = gateWord(app.gate);
  if (gate === null || gate === "signup") return "";
  must(await joinSignedIn(app, await person.account(), null));
  const [entry] = await findEntryByAddress(app.db, gate, parsed(person.address).canonical);
  return entry?.shareCode ?? "";
}

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
