import type Stripe from "stripe";
import type { Books } from "../../books.ts";
import { periodEnd } from "../../time/calendar.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { demand, idOf } from "../../objects/find.ts";
import type { PhaseWish, ScheduleChange } from "../../objects/subscriptions/schedule-forms.ts";
import { phaseOf, type PhaseSettings, saveSchedule } from "../../objects/subscriptions/schedule-shape.ts";
import { invalid, missingParameter, missingReference } from "../../http/stripe-errors.ts";
import { ownMethod, sellablePrice } from "./change-items.ts";
import { changeTo, currentPhase } from "./run-schedule.ts";

type Schedule = Stripe.SubscriptionSchedule;
type Phase = Stripe.SubscriptionSchedule.Phase;

/** Phases are replaced as a whole: one that isn't repeated is removed. The current phase keeps its start. */
export function changeSchedule(books: Books, schedule: Schedule, input: ScheduleChange): Schedule {
  const subscription = demand(books, "subscription", schedule.subscription === null ? "" : idOf(schedule.subscription));
  const phases = input.phases === undefined ? schedule.phases : phasesOf(books, schedule, subscription, input.phases);
  const now = books.clock.now();
  const running = phases.find((phase) => phase.start_date <= now && phase.end_date > now);
  if (running === undefined)
    throw invalid("The subscription schedule update must include the current phase.", { param: "phases" });
  const saved = saveSchedule(books, schedule, {
    current_phase: { start_date: running.start_date, end_date: running.end_date },
    end_behavior: input.endBehavior ?? schedule.end_behavior,
    metadata: mergeMetadata(schedule.metadata ?? {}, input.metadata),
    default_settings: { ...schedule.default_settings, ...defaultMethodBy(books, subscription, input.defaultMethod) },
    phases,
  });
  books.clock.setTimer("schedule-phase-ends", schedule.id, running.end_date);
  const phase = currentPhase(saved);
  if (phase !== null) changeTo(books, saved, phase, subscription, input.prorationBehavior);
  return saved;
}

function defaultMethodBy(books: Books, subscription: Stripe.Subscription, method: string | undefined) {
  if (method === undefined) return {};
  const param = "default_settings[default_payment_method]";
  return { default_payment_method: ownMethod(books, idOf(subscription.customer), method, param).id };
}

function phasesOf(books: Books, schedule: Schedule, subscription: Stripe.Subscription, wishes: PhaseWish[]): Phase[] {
  const phases: Phase[] = [];
  for (const wish of wishes) phases.push(phaseAfter(books, schedule, subscription, wish, phases.at(-1) ?? null));
  const past = schedule.phases.filter((phase) => phase.end_date <= (phases[0]?.start_date ?? 0));
  return [...past, ...phases];
}

function phaseAfter(
  books: Books,
  schedule: Schedule,
  subscription: Stripe.Subscription,
  wish: PhaseWish,
  before: Phase | null,
): Phase {
  const start = startOf(books, schedule, wish, before);
  if (wish.items.length === 0) throw missingParameter(`${wish.path}[items]`);
  const known = new Set(schedule.phases.flatMap((phase) => phase.items.map((item) => idOf(item.price))));
  const prices = wish.items.map(({ price }, index) =>
    sellablePrice(books, subscription, price, `${wish.path}[items][${index}][price]`, known.has(price) ? price : null),
  );
  const end = endOf(books, wish, start, prices[0]);
  if (end <= start || end <= books.clock.now())
    throw invalid("The end date of a phase must be after its start date, and in the future.", {
      param: `${wish.path}[end_date]`,
    });
  return phaseOf(subscription, {
    start,
    end,
    items: wish.items,
    prorationBehavior: wish.prorationBehavior,
    startsCycle: wish.startsCycle,
    metadata: wish.metadata,
    settings: ownSettings(books, subscription, wish),
  });
}

/** A phase accepts discounts that the subscription has, and the customer's own cards. */
function ownSettings(books: Books, subscription: Stripe.Subscription, wish: PhaseWish): PhaseSettings {
  const strange = wish.discounts.find((id) => !subscription.discounts.map(idOf).includes(id));
  if (strange !== undefined) throw missingReference("discount", strange, `${wish.path}[discounts]`);
  if (wish.defaultMethod !== null)
    ownMethod(books, idOf(subscription.customer), wish.defaultMethod, `${wish.path}[default_payment_method]`);
  return wish;
}

function startOf(books: Books, schedule: Schedule, wish: PhaseWish, before: Phase | null): number {
  const given = wish.start === "now" ? books.clock.now() : wish.start;
  if (before === null) {
    const running = schedule.current_phase?.start_date;
    const isKnown = given !== undefined && schedule.phases.some((phase) => phase.start_date === given);
    if (!isKnown || given === undefined || given > (running ?? 0))
      throw invalid("You can not modify the start date of the current phase.", { param: `${wish.path}[start_date]` });
    return given;
  }
  if (given !== undefined && given !== before.end_date)
    throw invalid("The start date of a phase must be the end date of the phase before it.", {
      param: `${wish.path}[start_date]`,
    });
  return before.end_date;
}

/** Without an end a phase lasts one interval of its price. */
function endOf(books: Books, wish: PhaseWish, start: number, price: Stripe.Price | undefined): number {
  if (wish.end !== undefined && wish.duration !== undefined)
    throw invalid("You may only specify one of these parameters: end_date, duration.", {
      param: `${wish.path}[end_date]`,
    });
  if (wish.end !== undefined) return wish.end === "now" ? books.clock.now() : wish.end;
  return periodEnd(start, start, wish.duration ?? price?.recurring ?? { interval: "month", interval_count: 1 });
}
