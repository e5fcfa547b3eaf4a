import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { periodEnd } from "../../time/period-end.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { demand, idOf } from "../../objects/demand.ts";
import type { PhaseInput, ScheduleChange } from "../../objects/subscriptions/schedule-forms.ts";
import { phaseOf, type PhaseSettings, saveSchedule } from "../../objects/subscriptions/schedule-shape.ts";
import { invalid, missingParameter, missingReference } from "../../http/stripe-errors.ts";
import { ownMethod, sellablePrice } from "./change-items.ts";
import { changeTo, currentPhase } from "./phases.ts";

type Schedule = Stripe.SubscriptionSchedule;
type Phase = Stripe.SubscriptionSchedule.Phase;

/** Phases are replaced as a whole: one that isn't repeated is removed. The current phase keeps its start. */
export function changeSchedule(tx: Transaction, schedule: Schedule, input: ScheduleChange): Schedule {
  const subscription = demand(tx, "subscription", schedule.subscription === null ? "" : idOf(schedule.subscription));
  const phases = input.phases === undefined ? schedule.phases : phasesOf(tx, schedule, subscription, input.phases);
  const now = tx.clock.now();
  const running = phases.find((phase) => phase.start_date <= now && phase.end_date > now);
  if (running === undefined)
    throw invalid("The subscription schedule update must include the current phase.", { param: "phases" });
  const saved = saveSchedule(tx, schedule, {
    current_phase: { start_date: running.start_date, end_date: running.end_date },
    end_behavior: input.endBehavior ?? schedule.end_behavior,
    metadata: mergeMetadata(schedule.metadata ?? {}, input.metadata),
    default_settings: { ...schedule.default_settings, ...defaultMethodBy(tx, subscription, input.defaultMethod) },
    phases,
  });
  tx.clock.setTimer("schedule-phase-ends", schedule.id, running.end_date);
  const phase = currentPhase(saved);
  if (phase !== null) changeTo(tx, saved, phase, subscription, input.prorationBehavior);
  return saved;
}

function defaultMethodBy(tx: Transaction, subscription: Stripe.Subscription, method: string | undefined) {
  if (method === undefined) return {};
  const param = "default_settings[default_payment_method]";
  return { default_payment_method: ownMethod(tx, idOf(subscription.customer), method, param).id };
}

function phasesOf(
  tx: Transaction,
  schedule: Schedule,
  subscription: Stripe.Subscription,
  inputs: PhaseInput[],
): Phase[] {
  const phases: Phase[] = [];
  for (const input of inputs) phases.push(phaseAfter(tx, schedule, subscription, input, phases.at(-1) ?? null));
  const past = schedule.phases.filter((phase) => phase.end_date <= (phases[0]?.start_date ?? 0));
  return [...past, ...phases];
}

function phaseAfter(
  tx: Transaction,
  schedule: Schedule,
  subscription: Stripe.Subscription,
  input: PhaseInput,
  before: Phase | null,
): Phase {
  const start = startOf(tx, schedule, input, before);
  if (input.items.length === 0) throw missingParameter(`${input.path}[items]`);
  const known = new Set(schedule.phases.flatMap((phase) => phase.items.map((item) => idOf(item.price))));
  const prices = input.items.map(({ price }, index) =>
    sellablePrice(tx, subscription, price, `${input.path}[items][${index}][price]`, known.has(price) ? price : null),
  );
  const end = endOf(tx, input, start, prices[0]);
  if (end <= start || end <= tx.clock.now())
    throw invalid("The end date of a phase must be after its start date, and in the future.", {
      param: `${input.path}[end_date]`,
    });
  return phaseOf(subscription, {
    start,
    end,
    items: input.items,
    prorationBehavior: input.prorationBehavior,
    startsCycle: input.startsCycle,
    metadata: input.metadata,
    settings: ownSettings(tx, subscription, input),
  });
}

/** A phase accepts only discounts that the subscription has, and only the customer's own cards. */
function ownSettings(tx: Transaction, subscription: Stripe.Subscription, input: PhaseInput): PhaseSettings {
  const strange = input.discounts.find((id) => !subscription.discounts.map(idOf).includes(id));
  if (strange !== undefined) throw missingReference("discount", strange, `${input.path}[discounts]`);
  if (input.defaultMethod !== null)
    ownMethod(tx, idOf(subscription.customer), input.defaultMethod, `${input.path}[default_payment_method]`);
  return input;
}

function startOf(tx: Transaction, schedule: Schedule, input: PhaseInput, before: Phase | null): number {
  const given = input.start === "now" ? tx.clock.now() : input.start;
  if (before === null) {
    const running = schedule.current_phase?.start_date;
    const isKnown = given !== undefined && schedule.phases.some((phase) => phase.start_date === given);
    if (!isKnown || given === undefined || given > (running ?? 0))
      throw invalid("You can not modify the start date of the current phase.", { param: `${input.path}[start_date]` });
    return given;
  }
  if (given !== undefined && given !== before.end_date)
    throw invalid("The start date of a phase must be the end date of the phase before it.", {
      param: `${input.path}[start_date]`,
    });
  return before.end_date;
}

/** Without an end a phase lasts one interval of its price. */
function endOf(tx: Transaction, input: PhaseInput, start: number, price: Stripe.Price | undefined): number {
  if (input.end !== undefined && input.duration !== undefined)
    throw invalid("You may only specify one of these parameters: end_date, duration.", {
      param: `${input.path}[end_date]`,
    });
  if (input.end !== undefined) return input.end === "now" ? tx.clock.now() : input.end;
  return periodEnd(start, start, input.duration ?? price?.recurring ?? { interval: "month", interval_count: 1 });
}
