import type Stripe from "stripe";
import { dayMs } from "#app/core/time/time.ts";
import { freePlan } from "#app/modules/catalogue/rules.ts";
import { seatsOf } from "#app/features/devices/plans.rules.ts";
import type { Broken } from "../../story.ts";
import type { Cast } from "../people/cast.ts";
import { simulatedGates } from "../features.ts";
import type { World } from "../world.ts";

/** What is promised to and about people: erasure, referrals, seats. Holds at any moment. */
export async function findPeopleViolation(world: World, cast: Cast): Promise<Broken | null> {
  return (
    (await erasedIsErased(world, cast)) ??
    (await oneReferralPerMailbox(world, cast)) ??
    (await atTheGate(world)) ??
    seatsShrink(world)
  );
}

/**
 * No column of any table contains an address or a name of a person whose account was erased. What waits at the gate under another spelling of the
 * address stays: the account has never proven that address, and each of its emails has a link to leave.
 */
async function erasedIsErased(world: World, cast: Cast): Promise<Broken | null> {
  const gone = await world.records.query<{ id: string; at: number }>(
    "select id, erasure_at as at from accounts where state = 'erased'",
  );
  // Stripe's customer goes before its account. One that a killed Worker created and didn't store has no address yet.
  const customers = world.records.objects<Stripe.Customer>("customer").filter(({ email }) => email !== null);
  const kept = gone.find(({ id }) => customers.some(({ metadata }) => Object.values(metadata ?? {}).includes(id)));
  if (kept) return { invariant: "Stripe's customer is deleted with the account", details: kept };
  const strings = gone.flatMap(({ id, at }) => stringsOf(cast, id, at));
  if (strings.length === 0) return null;
  for (const [table, rows] of await world.records.allRows()) {
    for (const row of rows) {
      const spelled = simulatedGates.find(({ ofAnotherSpelling }) => ofAnotherSpelling.table === table);
      if (spelled && !strings.includes(String(row[spelled.ofAnotherSpelling.column]))) continue;
      const text = Object.values(row)
        .filter((value) => typeof value === "string")
        .join("\n")
        .toLowerCase();
      const found = strings.find((typed) => text.includes(typed.toLowerCase()));
      if (found) return { invariant: "no personal data after erasure", details: { table, row, found } };
    }
  }
  return null;
}

/**
 * What the owner of an erased account typed for it, and no one for another account or since: they may have come back, or have another account, or
 * someone else has the address.
 */
function stringsOf(cast: Cast, accountId: string, erasureAt: number): string[] {
  const own = cast.people.flatMap(({ typed }) => [...typed].filter(([, { accounts }]) => accounts.has(accountId)));
  return own
    .filter(([, { at, accounts }]) => at < erasureAt && accounts.size === 1)
    .map(([text]) => text)
    .filter((text) => cast.people.filter(({ typed }) => typed.has(text)).length === 1);
}

async function atTheGate(world: World): Promise<Broken | null> {
  for (const gate of simulatedGates) {
    const broken = await gate.findViolation(world);
    if (broken) return broken;
  }
  return null;
}

/** Whatever its spelling, a mailbox counts once as a friend who is worth something. */
async function oneReferralPerMailbox(world: World, cast: Cast): Promise<Broken | null> {
  const { friends = [], decided = [] } = await world.records.queries({
    friends: "select friend_id from referrals where state in ('qualified', 'waiting', 'approved') and decision is null",
    decided: "select id from accounts where state = 'erased'",
  });
  const gone = new Set(decided.map(({ id }) => id));
  const living = friends.filter(({ friend_id: id }) => !gone.has(id));
  const ofFriends = living.map(({ friend_id: id }) => cast.mailboxOf(String(id))).filter((mailbox) => mailbox !== null);
  const twice = ofFriends.find((mailbox, index) => ofFriends.indexOf(mailbox) !== index);
  if (twice) return { invariant: "a mailbox is one referral", details: { mailbox: twice } };
  return null;
}

/** Two weeks and some days after a plan ended, no more devices are left than the free plan has seats for. */
async function seatsShrink(world: World): Promise<Broken | null> {
  const free = freePlan(world.product);
  const seats = free ? seatsOf(free) : 0;
  const rows = await world.records.query(
    `select a.id, count(*) as devices, waiting.state as reduction
     from accounts a join devices d on d.account_id = a.id and d.state = 'active'
     left join seat_reductions waiting on waiting.account_id = a.id
     where a.state = 'active' and coalesce(waiting.releases_at, 0) < ?1 and a.id not in (select account_id from subscriptions where state not in ('ended', 'incomplete') or ended_at > ?2)
     group by 1 having count(*) > ?3`,
    world.now() - 4 * dayMs,
    world.now() - 20 * dayMs,
    seats,
  );
  return rows.length > 0 ? { invariant: "seats end with the plan", details: rows.slice(0, 3) } : null;
}
