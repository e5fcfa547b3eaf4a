import { signUp } from "#tests/support/clients/customers.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import type { Site } from "#tests/support/site/site.ts";
import { featureSamples } from "#tests/support/features.ts";
import { codeHasLeft, emailedLink } from "./steps.ts";
import { askingVisitor, deviceOwner, departing, movingVisitor, payer } from "./visitors.ts";

const members = [
  "nobody",
  "asking",
  "moving",
  "held-up",
  "given-up",
  "unsent",
  "too-late",
  "new",
  "equipped",
  "pioneer",
  "paid",
  "cancelled",
  "failed",
  "processing",
  "action",
  "expired",
  "unconfirmed",
  "leaving",
  "broken",
] as const;
export type Member = (typeof members)[number];

export type TestAccounts = { visitors: Record<Member, Visitor>; fill: (path: string) => string };

/** The accounts, one after the other, and the addresses that only they know. */
export async function setUpAccounts(site: Site): Promise<TestAccounts> {
  const asking = await askingVisitor(site, "asking@example.com");
  const paid = await payer(site, "paid@example.com", "paid");
  const failed = await payer(site, "failed@example.com", "declined");
  const unconfirmed = await unconfirmedPayer(site, "unconfirmed@example.com");
  const { moving, revert } = await movingVisitor(site);
  await signUp(site, "used@example.com");
  const known: Record<string, string> = {
    request: asking.url,
    again: asking.url.replace("/verify?request=", "/signup?again="),
    moving: moving.url,
    revert,
    emailed: await emailedLink(site, "asking@example.com", "/verify"),
    used: await emailedLink(site, "used@example.com", "/verify"),
    order: new URL(paid.url).searchParams.get("order") ?? "",
    failed: new URL(failed.url).searchParams.get("order") ?? "",
    unconfirmed: new URL(unconfirmed.url).searchParams.get("order") ?? "",
    ...Object.assign({}, ...(await Promise.all(featureSamples.map(({ addresses }) => addresses?.(site))))),
  };
  const visitors = {
    nobody: site.visitor(),
    asking,
    moving,
    "held-up": await withoutEmail(
      site,
      "held-up@example.com",
      "state = 'queued', tries = 2, next_try_at = 9000000000000",
    ),
    "given-up": await withoutEmail(site, "given-up@example.com", "state = 'failed', tries = 8"),
    unsent: await passkeyHolder(site, "unmailed@example.com"),
    "too-late": await tooLate(site, "too-late@example.com"),
    paid,
    new: await signUp(site, "new@example.com"),
    equipped: await deviceOwner(site, "equipped@example.com"),
    pioneer: await pioneer(site, "pioneer@example.com"),
    cancelled: await payer(site, "cancelled@example.com", "cancelled"),
    failed,
    processing: await payer(site, "processing@example.com", "processing"),
    action: await payer(site, "action@example.com", "action"),
    expired: await payer(site, "expired@example.com", "expired"),
    unconfirmed,
    leaving: await departing(site, "leaving@example.com"),
    broken: await unlucky(site, "broken@example.com"),
  };
  const fill = (path: string) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => known[key] ?? "unknown");
    return new URL(filled, site.origin).href;
  };
  return { visitors, fill };
}

/** An account that has to re-authenticate, has a passkey, and was sent no email. */
async function passkeyHolder(site: Site, address: string): Promise<Visitor> {
  const visitor = await signUp(site, address);
  const database = await site.database();
  const own = "(select id from accounts where email = ?)";
  const passkey = `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, created_at)
    select 'pky_unmailed', id, 'unmailed', 'k', 0, '[]', 'Desk', created_at from accounts where email = ?`;
  await database.prepare(passkey).bind(address).run();
  await database.prepare(`update sessions set proven_at = 0 where account_id = ${own}`).bind(address).run();
  await visitor.post({ intent: "delete" }, "/settings/data");
  await database.prepare(`update codes set email_id = null where account_id = ${own}`).bind(address).run();
  return visitor;
}

/** An account on a plan that was once sold: only the id of such a plan is known here. */
async function pioneer(site: Site, address: string): Promise<Visitor> {
  const visitor = await payer(site, address, "paid");
  const database = await site.database();
  const own = "(select id from accounts where email = ?)";
  await database.prepare(`update subscriptions set plan_id = 'pioneer' where account_id = ${own}`).bind(address).run();
  return visitor;
}

/** An account that came back from paying while Stripe didn't answer, and still doesn't. */
async function unconfirmedPayer(site: Site, address: string): Promise<Visitor> {
  const visitor = await payer(site, address, "cancelled");
  const database = await site.database();
  const sql = `update orders set unconfirmed_until = 9000000000000
    where account_id = (select id from accounts where email = ?)`;
  await database.prepare(sql).bind(address).run();
  return visitor;
}

/** A visitor whose code is queued in the outbox, or was given up there. */
async function withoutEmail(site: Site, address: string, outbox: string): Promise<Visitor> {
  const visitor = await askingVisitor(site, address);
  await codeHasLeft(site, address);
  const database = await site.database();
  const sql = `update emails set ${outbox} where id = (select email_id from codes where address = ?)`;
  await database.prepare(sql).bind(address).run();
  return visitor;
}

/** An account whose every page with a date on it fails: no calendar knows its time zone. */
async function unlucky(site: Site, address: string): Promise<Visitor> {
  const visitor = await signUp(site, address);
  const database = await site.database();
  await database.prepare("update accounts set time_zone = 'Mars/Olympus' where email = ?").bind(address).run();
  return visitor;
}

/** A visitor whose code has expired. */
async function tooLate(site: Site, address: string): Promise<Visitor> {
  const visitor = await askingVisitor(site, address);
  await codeHasLeft(site, address);
  const database = await site.database();
  await database.prepare("update codes set expires_at = 1 where address = ?").bind(address).run();
  return visitor;
}
