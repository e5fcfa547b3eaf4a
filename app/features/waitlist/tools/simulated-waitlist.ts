import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import { gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { acceptInvitation } from "../commands/accept-invitation.server.ts";
import { confirmEntry } from "../commands/confirm-entry.server.ts";
import { joinWaitlist } from "../commands/join-waitlist.server.ts";
import { leaveWaitlist } from "../commands/leave-waitlist.server.ts";
import { requeueEntry } from "../commands/requeue-entry.server.ts";
import { dayMs } from "#app/core/time/time.ts";
import { readId } from "#app/core/id.ts";
import { noEntry } from "../rules.ts";
import type { Broken } from "../../../../scripts/maintainers/simulate/story.ts";
import { plainMailbox } from "../../../../scripts/maintainers/simulate/worker/plain-mailbox.ts";
import type { GateVisitor, SimulatedGate } from "../../../../scripts/maintainers/simulate/worker/simulated-gate.ts";
import type { World } from "../../../../scripts/maintainers/simulate/worker/world.ts";
import { decideEntry } from "../commands/decide-entry.server.ts";
import type { WorldApp } from "../../../../scripts/maintainers/simulate/worker/make-app.ts";
import { must } from "../../../../scripts/maintainers/simulate/worker/must.ts";
import { canonicalOf } from "#app/modules/accounts/rules.ts";
import { ofNoAccount, type Person, parsed } from "../../../../scripts/maintainers/simulate/worker/people/person.ts";
import { Refused } from "../../../../scripts/maintainers/simulate/worker/refused.ts";

/** What someone does on the waitlist, by the links that reached them. */
class WaitlistMember implements GateVisitor {
  readonly person: Person;
  /** The token of the page that a confirmation leads to. */
  #confirmed: string | null = null;

  constructor(person: Person) {
    this.person = person;
  }

  async asks(app: WorldApp, address: string, friend: string | null): Promise<void> {
    if (gateWord(app.gate) === null) throw new Refused("no waitlist");
    const { person } = this;
    // Anyone may enter any address: an entry is an account's once that account has proven its address.
    person.types(address, person.address === address ? person.accountId : ofNoAccount);
    person.address ??= address;
    const ref = await this.#shareCodeOf(friend);
    must(await joinWaitlist(app, { address: parsed(address), ref, ip: person.ip }));
  }

  async confirms(app: WorldApp): Promise<void> {
    const token = this.#newestLink("confirm");
    if (!token) throw new Refused("no link arrived");
    this.#confirmed = must(await confirmEntry(app, token, this.person.ip)).entryToken;
  }

  async leaves(app: WorldApp): Promise<void> {
    must(await leaveWaitlist(app, this.#entryToken()));
  }

  async stillWantsToJoin(app: WorldApp): Promise<void> {
    must(await requeueEntry(app, this.#entryToken()));
  }

  async accepts(app: WorldApp): Promise<void> {
    const { cookie } = this.person;
    const token = this.#entryToken();
    const viewer = cookie && (await findSignedIn(app, cookie));
    must(await acceptInvitation(app, token, viewer && { canonical: canonicalOf(viewer.account) }));
  }

  async isDecided(app: WorldApp, verdict: "clear" | "reject"): Promise<void> {
    const { typed, world } = this.person;
    const [found] = await world.records.query<{ id: string }>(
      `select id from entries where review = 'under-review' and email in (select value from json_each(?)) order by id limit 1`,
      JSON.stringify([...typed.keys()]),
    );
    must(await decideEntry(app, readId("ent", found?.id) ?? noEntry, verdict));
  }

  async #shareCodeOf(address: string | null): Promise<string | null> {
    if (!address) return null;
    const [entry] = await this.person.world.records.query<{ code: string | null }>(
      "select share_code as code from entries where email_canonical = ?",
      address.toLowerCase(),
    );
    return entry?.code ?? null;
  }

  /** The token of the entry that the last email was about, or else of the one that was confirmed last. */
  #entryToken(): string {
    const token = this.#newestLink("entry") ?? this.#confirmed;
    if (!token) throw new Refused("no entry");
    return token;
  }

  #newestLink(name: "confirm" | "entry"): string | null {
    const { typed, world } = this.person;
    const email = world.emails.findLast(({ to, text }) => typed.has(to) && text.includes(`?${name}=`));
    const [, token] = new RegExp(`\\?${name}=([^\\s&]+)`).exec(email?.text ?? "") ?? [];
    return token === undefined ? null : decodeURIComponent(token);
  }
}

/** Orders are read once a simulated day, so two days leave none out. */
const readMs = 2 * dayMs;

/** A plan behind the waitlist is only for those who were invited, or had it before. */
const brokenBefore = (planId: string, now: number): Record<string, string> => ({
  "a plan behind the waitlist needs an invitation": `select o.id from orders o join accounts a on a.id = o.account_id
    where o.plan_id = '${planId}' and o.kind <> 'renewal' and o.paid_at > ${now - readMs} and a.state <> 'erased'
    and not exists (select 1 from entries e where e.email_canonical = a.email_canonical and e.invited_at is not null)
    and not exists (select 1 from orders p where p.account_id = o.account_id and p.plan_id = o.plan_id and p.paid_at < o.paid_at)`,
});

/** Whatever its spelling, a mailbox gives positions once. */
async function findViolation(world: World): Promise<Broken | null> {
  const entries = await world.records.query<{ referrer: string; gate: string; email: string }>(
    "select referrer_entry_id as referrer, gate, email from entries where gift > 0 and review <> 'cleared' and email like '%@%'",
  );
  const mailboxes = entries.map(({ referrer, gate, email }) => `${referrer} ${gate} ${plainMailbox(email)}`);
  const doubled = mailboxes.find((mailbox, index) => mailboxes.indexOf(mailbox) !== index);
  return doubled ? { invariant: "a mailbox gives positions on the waitlist once", details: { doubled } } : null;
}

export const simulatedWaitlist: SimulatedGate = {
  meet: (person) => new WaitlistMember(person),
  brokenBefore,
  findViolation,
  ofAnotherSpelling: { table: "entries", column: "email" },
};
