import { dayMs, hourMs } from "#app/core/time/time.ts";
import { emailRetentionMs } from "#app/modules/email/rules.ts";
import { atAnyMoment, atAnyMomentSince, unknownValues } from "#tests/support/database/row-invariants.ts";
import type { Broken } from "../../story.ts";
import { AccessBook } from "./access-book.ts";
import { EmailBook } from "./email-book.ts";
import { findCancellationViolation, findSettledCancellationViolation } from "./find-cancellation-violation.ts";
import { EventBook } from "./event-book.ts";
import { simulatedGates } from "../features.ts";
import { findMoneyViolation, findSettledMoneyViolation } from "./find-money-violation.ts";
import { findWarningViolation } from "./find-warning-violation.ts";
import { findPeopleViolation } from "./find-people-violation.ts";
import type { Cast } from "../people/cast.ts";
import { OwingBook } from "./owing-book.ts";
import { retentionInvariants } from "./retention-invariants.ts";
import { rewardInvariants, settledRewardInvariants } from "./reward-invariants.ts";
import { cronDelayMs, type World } from "../world.ts";

const rowInvariants = { ...atAnyMoment, ...unknownValues, ...rewardInvariants };

/** What an operator has to know or decide about. */
const isForTheTeam = new RegExp(
  `^(${[
    "the database failed",
    "Error: A charge of order … is disputed",
    "Error: The rest of … was not refunded from …: charge_disputed",
    "Error: Order … was paid after its plan had ended: an operator has to decide about its money",
  ].join("|")})$`,
);

/** Everything that must be true, at any moment and once everything has settled. */
export class Invariants {
  readonly #world: World;
  readonly #cast: Cast;
  readonly #access: AccessBook;
  readonly #emails: EmailBook;
  readonly #owing: OwingBook;
  readonly #events: EventBook;
  #dailyAt = 0;

  constructor(world: World, cast: Cast) {
    this.#world = world;
    this.#cast = cast;
    this.#access = new AccessBook(world);
    this.#emails = new EmailBook(world, cast);
    this.#owing = new OwingBook(world, cast);
    this.#events = new EventBook(world);
  }

  /** Checks after each step, whatever is under way. */
  async afterStep(): Promise<Broken | null> {
    const bug = Object.keys(this.#world.reports).find((report) => !isForTheTeam.test(report));
    await this.#world.dashboard.noteKnown();
    if (bug) return { invariant: "nothing is reported but what the team has to know", details: bug };
    return (await this.#rows(rowInvariants)) ?? (await this.#emails.readNew()) ?? (await this.#daily());
  }

  async afterCron(isWhole: boolean): Promise<Broken | null> {
    await this.#world.dashboard.noteKnown();
    if (isWhole) this.#events.noteWholeRun();
    return (await this.#access.afterCron(isWhole)) ?? (await this.#emails.readNew()) ?? (await this.#daily());
  }

  /** These hold at any moment, but are checked once a simulated day: reading all rows and Stripe's objects takes longer than a step. */
  async #daily(): Promise<Broken | null> {
    const now = this.#world.now();
    if (now - this.#dailyAt < dayMs) return null;
    this.#dailyAt = now;
    return (
      (await this.#rows(this.#recentInvariants())) ??
      (await this.#events.findViolation()) ??
      this.#owing.findViolation() ??
      (await findMoneyViolation(this.#world, this.#cast)) ??
      findCancellationViolation(this.#world) ??
      (await findWarningViolation(this.#world)) ??
      findPeopleViolation(this.#world, this.#cast)
    );
  }

  /** What still waits for the site itself, and for no one else. Null if nothing does. */
  async leftToDo(): Promise<unknown> {
    const overdueBefore = this.#world.now() - cronDelayMs;
    const waiting = await this.#world.records.queries({
      emails: "select id, template, tries from emails where state = 'queued'",
      events: "select id, type, state from webhook_events where state in ('received', 'failed')",
      lines: `select l.id from ledger_lines l join customers c on c.account_id = l.account_id join accounts a on a.id = l.account_id
        where l.customer_id is null and a.state <> 'erased'`,
      discounts: `select d.referral_id from friend_discounts d join orders o on o.id = d.order_id join referrals r on r.id = d.referral_id
        where d.state = 'due' and r.state <> 'under-review' and o.dispute in ('none', 'won') and o.account_id not in (
          select paid.account_id from withdrawals w join orders paid on paid.id = w.order_id where w.state in ('declared', 'acknowledged'))`,
      // A withdrawal is acknowledged once its email was sent.
      withdrawals: `select w.id from withdrawals w join emails m on m.id = 'mail_' || w.id where w.state = 'declared' and m.state = 'sent'`,
      // One that waits for a later day is no one's turn yet.
      cancellations: `select id, state, failure from cancellations where state = 'open' and (ends_on is null
        or failure is not null or next_try_at < ${overdueBefore})`,
      confirmations: "select email_id from waiting_emails",
      // A closed account may come back; a payment under way may be for a larger plan.
      seats: `select s.account_id, s.state from seat_reductions s join accounts a on a.id = s.account_id where a.state = 'active'
        and (s.state = 'due' or s.releases_at < ${overdueBefore})
        and s.account_id not in (select account_id from orders where state = 'processing')`,
      // The reward of a closed account waits for its return or its erasure.
      referrals: `select r.id, r.state from referrals r where r.state in ('waiting', 'under-review') and r.waits_until < ${overdueBefore}
        and r.id not in (select referral_id from friend_discounts where state = 'under-review')
        and r.friend_id not in (select account_id from orders where dispute not in ('none', 'won'))
        and r.referrer_id not in (select id from accounts where state = 'closed')
        and r.friend_id not in (select paid.account_id from withdrawals w join orders paid on paid.id = w.order_id
          where w.state in ('declared', 'acknowledged'))`,
      unconfirmed: `select id from orders where unconfirmed_until < ${overdueBefore}`,
    });
    const left = Object.entries(waiting).filter(([, rows]) => rows.length > 0);
    if (this.#world.waitingDeliveries > 0) return { deliveries: this.#world.waitingDeliveries };
    return left.length === 0 ? null : Object.fromEntries(left.map(([name, rows]) => [name, rows.slice(0, 3)]));
  }

  /** Checks once all faults have ended and nothing is left to do. */
  async onceSettled(): Promise<Broken | null> {
    return (
      (await this.#rows({
        ...rowInvariants,
        ...this.#recentInvariants(),
        ...settledRewardInvariants,
        // The cron job has just run.
        ...retentionInvariants(this.#world.now() - hourMs),
      })) ??
      (await this.#emails.readNew()) ??
      (await findMoneyViolation(this.#world, this.#cast)) ??
      (await findSettledMoneyViolation(this.#world, this.#cast)) ??
      findCancellationViolation(this.#world) ??
      (await findSettledCancellationViolation(this.#world)) ??
      (await findPeopleViolation(this.#world, this.#cast))
    );
  }

  /** The invariants of orders whose emails aren't removed yet. */
  #recentInvariants(): Record<string, string> {
    const { gatedPlanId } = this.#world;
    const now = this.#world.now();
    const ofGate = simulatedGates.map((gate) => (gatedPlanId === null ? {} : gate.brokenBefore(gatedPlanId, now)));
    return { ...atAnyMomentSince(now - emailRetentionMs + dayMs), ...Object.assign({}, ...ofGate) };
  }

  async #rows(invariants: Record<string, string>): Promise<Broken | null> {
    const answers = await this.#world.records.queries(invariants);
    for (const [invariant, rows] of Object.entries(answers)) {
      if (rows.length > 0) return { invariant, details: rows.slice(0, 3) };
    }
    return null;
  }
}
