import { pages, small } from "#tests/support/catalogue.ts";
import type { Site } from "#tests/support/site.ts";
import type { Visitor } from "#tests/support/visitor.ts";
import { askingVisitor, customer, deviceOwner, leaver, movingVisitor, payer } from "./people.ts";
import { codeHasLeft, mailedLink } from "./steps.ts";

type Person = (typeof people)[number];
export type PageOfSite = { name: string; who: Person; path: string; status?: number };

const people = [
  ...([
    "nobody",
    "asking",
    "moving",
    "held-up",
    "given-up",
    "unmailed",
    "new",
    "equipped",
    "paid",
    "cancelled",
    "failed",
    "processing",
    "action",
    "expired",
    "leaving",
  ] as const),
] as const;

/** Every page of the site, in every state that looks different. `{…}` is filled in by what the people did. */
export const everyPage: PageOfSite[] = [
  { name: "landing", who: "nobody", path: "/" },
  { name: "landing, yearly", who: "nobody", path: "/?interval=year" },
  { name: "landing, signed in", who: "paid", path: "/" },
  { name: "landing, leaving", who: "leaving", path: "/" },
  { name: "sign-up", who: "nobody", path: "/signup" },
  { name: "sign-up for a plan", who: "nobody", path: `/signup?plan=${small.id}&interval=month` },
  { name: "log-in", who: "nobody", path: "/login" },
  { name: "verify", who: "asking", path: "{request}" },
  { name: "verify, mail held up", who: "held-up", path: "/verify" },
  { name: "verify, mail given up", who: "given-up", path: "/verify" },
  { name: "verify, in another browser", who: "nobody", path: "{mailed}" },
  { name: "verify, used in another browser", who: "nobody", path: "{used}" },
  { name: "verify, a passkey alone", who: "unmailed", path: "/verify" },
  { name: "verify, a new address", who: "moving", path: "{moving}" },
  { name: "sign-up, its address to be corrected", who: "asking", path: "{again}" },
  { name: "a change of address, to be taken back", who: "nobody", path: "{revert}" },
  { name: "a change of address, by an unknown link", who: "nobody", path: "/verify?revert=0000", status: 404 },
  { name: "waitlist", who: "nobody", path: "/waitlist" },
  { name: "waitlist, joined", who: "nobody", path: "/waitlist?sent" },
  { name: "waitlist, to confirm", who: "nobody", path: "{confirm}" },
  { name: "waitlist, own place", who: "nobody", path: "{entry}" },
  { name: "waitlist, signed in", who: "new", path: "/waitlist" },
  { name: "waitlist, leaving", who: "leaving", path: "/waitlist" },
  { name: "withdraw", who: "nobody", path: "/withdraw" },
  { name: "withdraw, from an order", who: "paid", path: "/withdraw?order={order}" },
  { name: "withdraw, declared", who: "nobody", path: "/withdraw?declared" },
  { name: "terms", who: "nobody", path: "/legal/terms" },
  { name: "privacy notice", who: "nobody", path: "/legal/privacy" },
  { name: "imprint", who: "nobody", path: "/legal/imprint" },
  { name: "404", who: "nobody", path: "/nothing-here", status: 404 },
  { name: "404, signed in", who: "new", path: "/settings/nothing-here", status: 404 },
  { name: "payment, signed out", who: "nobody", path: "/payment/success" },
  { name: "you", who: "new", path: "/settings" },
  { name: "you, with all of it and a plan", who: "paid", path: "/settings?activity=all" },
  { name: "you, leaving", who: "leaving", path: "/settings" },
  { name: "orders, leaving", who: "leaving", path: "/settings/orders" },
  { name: "you, with too many devices", who: "equipped", path: "/settings" },
  { name: "devices, none", who: "new", path: pages.account },
  { name: "devices, too many, and the key", who: "equipped", path: `${pages.account}?key` },
  { name: "plan, on Free", who: "new", path: pages.plan },
  { name: "plan, paid", who: "paid", path: pages.plan },
  { name: "preferences", who: "new", path: pages.preferences },
  { name: "preferences, changed by a device", who: "equipped", path: pages.preferences },
  { name: "orders, none", who: "new", path: "/settings/orders" },
  { name: "orders, one", who: "paid", path: "/settings/orders" },
  { name: "order", who: "paid", path: "/settings/orders?order={order}" },
  { name: "order, failed", who: "failed", path: "/settings/orders?order={failed}" },
  { name: "orders, nothing fits", who: "paid", path: "/settings/orders?year=2019&state=failed" },
  { name: "receipt", who: "paid", path: "/settings/orders/receipt?order={order}" },
  { name: "invite friends", who: "new", path: "/settings/referral" },
  { name: "change plan", who: "new", path: "/settings/upgrade" },
  { name: "change plan, paid", who: "paid", path: "/settings/upgrade?interval=year" },
  { name: "change plan, confirmation", who: "new", path: `/settings/upgrade?plan=${small.id}&interval=month` },
  { name: "payment success", who: "paid", path: "/payment/success" },
  { name: "payment cancelled", who: "cancelled", path: "/payment/cancelled" },
  { name: "payment failed", who: "failed", path: "/payment/failed" },
  { name: "payment processing", who: "processing", path: "/payment/processing" },
  { name: "payment action", who: "action", path: "/payment/action" },
  { name: "payment expired", who: "expired", path: "/payment/expired" },
];

export type Cast = { visitors: Record<Person, Visitor>; fill: (path: string) => string };

/** The people, one after the other, and the addresses that only they know. */
export async function inviteCast(site: Site): Promise<Cast> {
  const asking = await askingVisitor(site, "asking@example.com");
  const paid = await payer(site, "paid@example.com", "paid");
  const failed = await payer(site, "failed@example.com", "declined");
  const { moving, revert } = await movingVisitor(site);
  await customer(site, "used@example.com");
  const onWaitlist = site.visitor();
  await onWaitlist.open("/waitlist");
  await onWaitlist.press("Join the waitlist", { email: "waiting@example.com" });
  const confirm = await mailedLink(site, "waiting@example.com", "/waitlist");
  await onWaitlist.open("/waitlist");
  await onWaitlist.press("Join the waitlist", { email: "confirmed@example.com" });
  await onWaitlist.open(await mailedLink(site, "confirmed@example.com", "/waitlist"));
  await onWaitlist.press("Confirm");
  const known: Record<string, string> = {
    request: asking.url,
    again: asking.url.replace("/verify?request=", "/signup?again="),
    moving: moving.url,
    revert,
    mailed: await mailedLink(site, "asking@example.com", "/verify"),
    used: await mailedLink(site, "used@example.com", "/verify"),
    order: new URL(paid.url).searchParams.get("order") ?? "",
    failed: new URL(failed.url).searchParams.get("order") ?? "",
    confirm,
    entry: onWaitlist.url,
  };
  const visitors = {
    nobody: site.visitor(),
    asking,
    moving,
    "held-up": await withoutMail(
      site,
      "held-up@example.com",
      "state = 'queued', tries = 2, next_try_at = 9000000000000",
    ),
    "given-up": await withoutMail(site, "given-up@example.com", "state = 'failed', tries = 8"),
    unmailed: await passkeyHolder(site, "unmailed@example.com"),
    paid,
    new: await customer(site, "new@example.com"),
    equipped: await deviceOwner(site, "equipped@example.com"),
    cancelled: await payer(site, "cancelled@example.com", "cancelled"),
    failed,
    processing: await payer(site, "processing@example.com", "processing"),
    action: await payer(site, "action@example.com", "action"),
    expired: await payer(site, "expired@example.com", "expired"),
    leaving: await leaver(site, "leaving@example.com"),
  };
  const fill = (path: string) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => known[key] ?? "unknown");
    return new URL(filled, site.origin).href;
  };
  return { visitors, fill };
}

/** Somebody who has to prove who they are, has a passkey, and was mailed nothing. */
async function passkeyHolder(site: Site, address: string): Promise<Visitor> {
  const visitor = await customer(site, address);
  const database = await site.database();
  const own = "(select id from accounts where email = ?)";
  const passkey = `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, created_at)
    select 'pky_unmailed', id, 'unmailed', 'k', 0, '[]', 'Desk', created_at from accounts where email = ?`;
  await database.prepare(passkey).bind(address).run();
  await database.prepare(`update sessions set proven_at = 0 where account_id = ${own}`).bind(address).run();
  await visitor.post({ intent: "delete" }, "/settings");
  await database.prepare(`update codes set mail_id = null where account_id = ${own}`).bind(address).run();
  return visitor;
}

/** Somebody whose code waits in the outbox, or was given up there. */
async function withoutMail(site: Site, address: string, outbox: string): Promise<Visitor> {
  const visitor = await askingVisitor(site, address);
  await codeHasLeft(site, address);
  const database = await site.database();
  const sql = `update mails set ${outbox} where id = (select mail_id from codes where address = ?)`;
  await database.prepare(sql).bind(address).run();
  return visitor;
}
