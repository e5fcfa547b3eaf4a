import { env } from "cloudflare:workers";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { dayMs } from "#app/core/time/time.ts";
import { confirmEntry } from "../commands/confirm-entry.server.ts";
import { joinWaitlist } from "../commands/join-waitlist.server.ts";
import type { EntryState } from "../rules.ts";
import { showWaitlist } from "../reads/show-waitlist.server.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

export type EntryRow = {
  id: string;
  state: EntryState;
  email_canonical: string;
  confirmed_at: number | null;
  number: number | null;
  sort_number: number | null;
  referrer_entry_id: string | null;
};

let gates = 0;
let networks = 0;

/** A network that no other test has, not even a provider's: its quotas are unused. */
export function ownNetwork(): string {
  networks += 1;
  return `2a01:${networks.toString(16)}:0:0::1`;
}

/** People who wait before a gate of their own, since a line is counted by its gate. */
export class WaitlistDriver {
  readonly gate: string;
  readonly app: TestApp;

  constructor(gate?: string) {
    gates += 1;
    const planId = gate?.startsWith("plan:") ? gate.slice("plan:".length) : `test-${gates}`;
    this.gate = gate ?? `plan:${planId}`;
    this.app = testApp({ gate: gate === "signup" ? { kind: "signup" } : { kind: "plan", planId } });
    // The cron job invites no entry unless a test says so.
    this.app.product = { ...this.app.product, invitationsPerDay: 0 };
    // Its own point in time, too: the quotas of an address are shared by all gates.
    this.app.pass(gates * 90 * dayMs);
  }

  join(
    email: string,
    { ref = null as string | null, ip = ownNetwork(), using = this.app as Parameters<typeof joinWaitlist>[0] } = {},
  ) {
    const address = parseEmailAddress(email);
    if (!address) throw new Error("not an address");
    return joinWaitlist(using, { address, ref, ip });
  }

  /** The App in which `meanwhile` happens once, after a command has read and before it writes. */
  interrupted(meanwhile: () => Promise<unknown>): TestApp {
    const { db } = this.app;
    let batches = 0;
    const batch: typeof db.batch = async (statements) => {
      batches += 1;
      if (batches === 2) await meanwhile();
      return db.batch(statements);
    };
    return { ...this.app, db: Object.create(db, { batch: { value: batch } }) };
  }

  /** The token in the newest email to an address. */
  emailed(kind: "confirm" | "entry", email: string): string {
    const sentEmail = this.app.emails.findLast((candidate) => candidate.to === email);
    const token = new RegExp(`/waitlist\\?${kind}=([0-9a-z]{52,})\\b`).exec(sentEmail?.text ?? "")?.[1];
    if (!token) throw new Error(`No ${kind} link was emailed to ${email}`);
    return token;
  }

  /** Joined and emailed: the token that confirms. */
  async pending(email: string, ref: string | null = null): Promise<string> {
    await this.join(email, { ref });
    await this.app.settled();
    return this.emailed("confirm", email);
  }

  /** Joined and confirmed: the token of the entry's own page. The next one comes a millisecond later. */
  async waiting(email: string, ref: string | null = null): Promise<string> {
    const confirmed = await confirmEntry(this.app, await this.pending(email, ref));
    if (!confirmed.ok) throw new Error(`refused: ${confirmed.refusal.reason}`);
    this.app.pass(1);
    return confirmed.value.entryToken;
  }

  async entry(token: string) {
    const shown = await showWaitlist(this.app, { entry: token }, null);
    if (shown.kind !== "entry") throw new Error(`no entry but ${shown.kind}`);
    const { ahead = null, behind = null } = shown.position ?? {};
    return { ...shown, ahead, behind, shareCode: new URL(shown.shareUrl).searchParams.get("ref") ?? "" };
  }

  /** Where the entries of this line and its counters disagree: empty, if all is well. */
  async miscounts(): Promise<unknown[]> {
    const [buckets, friends] = await env.DB.batch([
      env.DB.prepare(
        `with
           counted as (
             select level, sort_number >> level as bucket, count(*) as waiting
             from entries, (select 5 as level union all select 10 union all select 15 union all select 20)
             where gate = ?1 and state = 'waiting' group by 1, 2),
           noted as (select level, bucket, waiting from queue_counts where gate = ?1 and waiting > 0)
         select 'counted' as which, * from (select * from counted except select * from noted)
         union all select 'noted', * from (select * from noted except select * from counted)`,
      ).bind(this.gate),
      env.DB.prepare(
        `select id, number, sort_number, entries.friends, coalesce(brought.friends, 0) as friends_counted, coalesce(brought.gifts, 0) as gifts
         from entries left join (
           select referrer_entry_id, count(*) as friends, sum(gift) as gifts from entries
           where gate = ?1 and state in ('waiting', 'invited', 'joined', 'resting') and review = 'none'
           group by referrer_entry_id) brought on brought.referrer_entry_id = entries.id
         where gate = ?1 and (
           (state in ('waiting', 'invited', 'joined', 'resting') and number is null)
           or (number is not null and (entries.friends <> coalesce(brought.friends, 0) or sort_number <> number - coalesce(brought.gifts, 0))))`,
      ).bind(this.gate),
    ]);
    return [...(buckets?.results ?? []), ...(friends?.results ?? [])];
  }

  async rows(): Promise<EntryRow[]> {
    const statement = env.DB.prepare("select * from entries where gate = ? order by created_at, id").bind(this.gate);
    return (await statement.all<EntryRow>()).results;
  }

  /** Adds this many entries, waiting since yesterday, and returns the tokens of their pages, in order. */
  async crowd(size: number, name = "w"): Promise<string[]> {
    const tokens = [];
    for (let number = 1; number <= size; number += 1) tokens.push(await this.waiting(`${name}${number}@example.com`));
    this.app.pass(dayMs);
    return tokens;
  }

  /** The state of each entry, by the first part of the address, in the order of numbers. */
  async states(): Promise<string[]> {
    const rows = (await this.rows()).toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0));
    return rows.map(({ email_canonical, state }) => `${email_canonical.split("@")[0]} ${state}`);
  }

  /** Emails of one template that were queued, to any address. */
  async queued(template: string): Promise<number> {
    const count = env.DB.prepare("select count(*) as emails from emails where template = ? and id like 'mail_ent_%'");
    return (await count.bind(template).first<number>("emails")) ?? 0;
  }

  setState(email: string, state: EntryState) {
    return env.DB.prepare("update entries set state = ? where email_canonical = ? and gate = ?")
      .bind(state, email, this.gate)
      .run();
  }
}
