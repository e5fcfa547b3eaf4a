import { mailboxOf } from "#app/core/text/email-address.ts";
import type { Broken } from "./invariants.ts";
import { parsed } from "./person.ts";
import type { Cast } from "./play-step.ts";
import type { World } from "./world.ts";

/** What is promised to and about people: erasure, emails, referrals. */
export async function brokenPeople(world: World, cast: Cast): Promise<Broken | null> {
  return (
    (await erasedIsErased(world, cast)) ?? (await emailsHaveCauses(world, cast)) ?? oneReferralPerMailbox(world, cast)
  );
}

/** No column of any table contains an address or a name of a person whose account was erased. */
async function erasedIsErased(world: World, cast: Cast): Promise<Broken | null> {
  const gone = await world.query<{ id: string; at: number }>(
    "select id, gone_at as at from accounts where state = 'gone'",
  );
  const strings = gone.flatMap(({ id, at }) => stringsOf(cast, id, at));
  if (strings.length === 0) return null;
  for (const [table, rows] of await world.allRows()) {
    for (const row of rows) {
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

/** What the owner of an erased account had typed before, and no one since: they may have come back, or someone else has the address. */
function stringsOf(cast: Cast, accountId: string, goneAt: number): string[] {
  const owners = cast.people.filter((person) => person.accountIds.has(accountId));
  const since = cast.people.flatMap(({ typed }) => [...typed].filter(([, at]) => at >= goneAt).map(([text]) => text));
  const others = cast.people.filter((person) => !owners.includes(person)).flatMap(({ typed }) => [...typed.keys()]);
  return owners
    .flatMap(({ typed }) => [...typed.keys()])
    .filter((text) => !since.includes(text) && !others.includes(text));
}

/** Every email that was sent is a row of the outbox, or was removed with its account, and went to an address that someone typed. */
async function emailsHaveCauses(world: World, cast: Cast): Promise<Broken | null> {
  const typed = new Set(cast.people.flatMap((person) => [...person.typed.keys()].map((word) => word.toLowerCase())));
  const stray = world.emails.find(({ to }) => !typed.has(to.toLowerCase()));
  if (stray)
    return {
      invariant: "emails go to addresses that their owner typed",
      details: { to: stray.to, subject: stray.subject },
    };
  const doubled = await world.query(
    `select id from mails where template in ('receipt', 'refund', 'plan-ended', 'gone', 'reward-earned') and tries > 1 and state = 'sent' and id not like 'mail\\_%' escape '\\'`,
  );
  return doubled.length > 0
    ? { invariant: "emails about a cause are named by it", details: doubled.slice(0, 3) }
    : null;
}

/** A mailbox is a friend once who is worth something, whatever its spelling. */
async function oneReferralPerMailbox(world: World, cast: Cast): Promise<Broken | null> {
  const rows = await world.query<{ friendId: string }>(
    "select friend_id as friendId from referrals where state in ('qualified', 'waiting', 'approved')",
  );
  const seen = new Map<string, string>();
  for (const { friendId } of rows) {
    const person = cast.people.find(({ accountId }) => accountId === friendId);
    if (!person?.address) continue;
    const mailbox = mailboxOf(parsed(person.address).canonical);
    const before = seen.get(mailbox);
    if (before) return { invariant: "a mailbox is one referral", details: { mailbox, friends: [before, person.name] } };
    seen.set(mailbox, person.name);
  }
  return null;
}
