import type Stripe from "stripe";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import type { Broken } from "../../story.ts";
import type { Cast } from "../people/cast.ts";
import type { Person } from "../people/person.ts";
import type { SentEmail } from "../post-office.ts";
import type { World } from "../world.ts";
import type { Cause } from "./cause.ts";
import { emailCauses } from "./email-causes.ts";

type Queued = { id: string; template: string; recipientId: string | null; createdAt: number };

/** How long a form may be under way. Its email is dated at its beginning. */
const heldBackMsMax = hourMs;

/** Two forms within this time may have led to two emails that say the same. */
const recentMs = 15 * minuteMs;

/** Checks that every email has its cause, goes to an address its owner typed, and is sent once. Reads each when it is new. */
export class EmailBook {
  readonly #world: World;
  readonly #cast: Cast;
  #readUntil = 0;
  /** When each was queued, and for whom, by its id. */
  readonly #read = new Map<string, Pick<Queued, "createdAt" | "recipientId">>();
  readonly #sent = new Map<string, SentEmail>();
  readonly #sentByText = new Map<string, SentEmail>();
  #count = 0;

  constructor(world: World, cast: Cast) {
    this.#world = world;
    this.#cast = cast;
  }

  async readNew(): Promise<Broken | null> {
    const { emails } = this.#world;
    const isNew = emails.slice(this.#count);
    this.#count = emails.length;
    const withoutCause = await this.#haveCauses();
    if (withoutCause) return withoutCause;
    for (const email of isNew) {
      const broken = this.#isSentOnce(email) ?? this.#isToTheirs(email);
      if (broken) return broken;
    }
    return null;
  }

  /** Compares its id and what it says, since a second one that is queued says the same. Two people, or two forms, may ask for the same. */
  #isSentOnce(email: SentEmail): Broken | null {
    const message = JSON.stringify([email.to, email.subject, email.text]);
    const [before, same] = [this.#sent.get(email.id), this.#sentByText.get(message)];
    this.#sent.set(email.id, email);
    this.#sentByText.set(message, email);
    const isRepeated = before !== undefined && !this.#world.post.mayBeSentAgain(before);
    const queuedAt = this.#read.get(email.id)?.createdAt ?? email.at;
    const forms = this.#cast.deeds.filter(({ at }) => at > queuedAt - recentMs && at <= queuedAt).length;
    const isAtOnce =
      same !== undefined && Math.abs(queuedAt - (this.#read.get(same.id)?.createdAt ?? same.at)) < minuteMs;
    const isSaidAgain = isAtOnce && same.id !== email.id && forms < 2;
    return isRepeated || isSaidAgain
      ? {
          invariant: "an email is sent once",
          details: { to: email.to, subject: email.subject, ids: [(before ?? same)?.id, email.id] },
        }
      : null;
  }

  /** The email goes to the account's owner, or to anyone if the address needs no account. */
  #isToTheirs({ id, to, subject }: SentEmail): Broken | null {
    const owners = this.#ownersOf(this.#read.get(id)?.recipientId ?? null);
    const isTheirs = (owners.length > 0 ? owners : this.#cast.people).some(({ typed }) =>
      [...typed.keys()].some((word) => word.toLowerCase() === to.toLowerCase()),
    );
    return isTheirs ? null : { invariant: "emails go to addresses that their owner typed", details: { to, subject } };
  }

  async #haveCauses(): Promise<Broken | null> {
    const since = this.#readUntil - heldBackMsMax;
    const rows = await this.#world.records.query<Queued>(
      "select id, template, recipient_id as recipientId, created_at as createdAt from emails where created_at > ?",
      since,
    );
    this.#readUntil = this.#world.now();
    for (const row of rows.filter(({ id }) => !this.#read.has(id))) {
      this.#read.set(row.id, row);
      const cause: Cause | undefined = emailCauses[row.template as keyof typeof emailCauses];
      const missing = cause === undefined ? "any" : await this.#missingOf(row, cause);
      if (missing) return { invariant: "every email has its cause", details: { ...row, missing } };
    }
    return null;
  }

  async #missingOf(row: Queued, { rows, did, paidBy, isCharged, hasFailedCharge }: Cause): Promise<string | null> {
    // If the account was erased in the same run of the cron job, what its rows said is gone with it.
    const isThere = `select 1 from emails m where m.id = ? and (${rows} or exists (
      select 1 from accounts a where a.id = m.recipient_id and a.erasure_at >= m.created_at))`;
    if (rows && (await this.#world.records.query(isThere, row.id)).length === 0) return rows;
    const subscription = /^mail_(sub_\w+)\./.exec(row.id)?.[1];
    if (isCharged && subscription && this.#world.dashboard.knownHold(subscription, row.createdAt))
      return "a plan that is charged";
    const owners = this.#ownersOf(row.recipientId).map(({ name }) => name);
    // No account has the address: its owner withdrew before they had an account, or after theirs was erased.
    const isUnknown = owners.length === 0;
    if (did) {
      const since = row.createdAt - did.withinDays * dayMs;
      const isDone = this.#cast.deeds.some(
        ({ at, who, deed }) =>
          at >= since && did.any.includes(deed.do) && (did.by === "anyone" || isUnknown || owners.includes(who)),
      );
      if (!isDone) return `${did.by} ${did.any.join(", or ")}`;
    }
    const means = this.#cast.deeds.flatMap(({ who, deed }) =>
      owners.includes(who) && "with" in deed ? [deed.with] : [],
    );
    if (paidBy && !means.some((each) => paidBy.includes(each))) return `paid by ${paidBy.join(", or ")}`;
    return hasFailedCharge && !this.#hasFailedCharge(row.recipientId ?? "") ? "a charge that failed" : null;
  }

  #ownersOf(accountId: string | null): Person[] {
    return this.#cast.people.filter(({ accountIds }) => accountIds.has(accountId ?? ""));
  }

  #hasFailedCharge(accountId: string): boolean {
    const { records } = this.#world;
    const customer = records.customerOf(accountId);
    const hasFailed = records
      .objects<Stripe.Charge>("charge")
      .some((charge) => charge.customer === customer && charge.status === "failed");
    // A bank may ask for a confirmation instead of refusing.
    return (
      hasFailed ||
      records
        .objects<Stripe.PaymentIntent>("payment_intent")
        .some((intent) => intent.customer === customer && intent.status !== "succeeded")
    );
  }
}
