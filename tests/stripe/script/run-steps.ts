import type Stripe from "stripe";
import { moneySteps } from "./money-steps.ts";
import { inOrder, newContext, normalise, normaliseCall, type Recording } from "./normalise.ts";
import { planSteps } from "./plan-steps.ts";
import {
  type Facts,
  type Interval,
  ManualStep,
  type Options,
  type Prices,
  StepContext,
  type Step,
} from "./step-context.ts";
import type { Target } from "./target.ts";

export const steps: Step[] = [...planSteps, ...moneySteps];

/** Runs the steps one after the other: each with its own clock and customers. */
export async function runSteps(
  target: Target,
  { only = null, ...options }: Options & { only?: string | null },
): Promise<Recording[]> {
  const nonce = `contract${Math.random().toString(36).slice(2, 10)}`;
  const prices = await makePrices(target.quiet, nonce);
  const recordings: Recording[] = [];
  for (const [at, step] of steps.entries()) {
    if (only !== null && step.name !== only) continue;
    const recording = await runStep({ target, prices, nonce, options, step: at }, step);
    if (recording !== null) recordings.push(recording);
  }
  await archive(target.quiet, prices);
  return recordings;
}

async function runStep(parts: Parameters<typeof StepContext.open>[0], step: Step): Promise<Recording | null> {
  parts.target.takeExchanges();
  const stepContext = await StepContext.open(parts);
  try {
    const facts = await factsOf(stepContext, step);
    const exchanges = inOrder(parts.target.takeExchanges());
    await stepContext.collectEvents();
    const context = newContext(stepContext.beganAt, parts.nonce);
    const calls = exchanges.map((exchange) => normaliseCall(context, exchange));
    const events = countsOf(stepContext.events.values());
    // As it is read from a file: undefined properties are absent.
    return JSON.parse(JSON.stringify({ step: step.name, calls, facts: normalise(context, facts), events }));
  } catch (error) {
    if (!(error instanceof ManualStep)) throw error;
    parts.options.say(`${step.name}: left out, it ${error.message}`);
    return null;
  } finally {
    await stepContext.close();
  }
}

/** A step that fails is a finding as well, and the others continue. */
async function factsOf(stepContext: StepContext, step: Step): Promise<Facts> {
  try {
    return await step.run(stepContext);
  } catch (error) {
    if (error instanceof ManualStep) throw error;
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

function countsOf(events: Iterable<Stripe.Event>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of [...events].toSorted((one, other) => one.type.localeCompare(other.type)))
    counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

const amounts: Record<keyof Prices, Record<Interval, number>> = {
  small: { month: 600, year: 6000 },
  large: { month: 1500, year: 15_000 },
};

/** A catalogue of the run's own, so that nothing of the account is touched. */
async function makePrices(stripe: Stripe, nonce: string): Promise<Prices> {
  const make = async (plan: keyof Prices) => {
    const product = await stripe.products.create({ name: `Contract ${plan}`, metadata: { plan } });
    const price = (interval: Interval) =>
      stripe.prices.create({
        product: product.id,
        currency: "eur",
        unit_amount: amounts[plan][interval],
        recurring: { interval },
        tax_behavior: "inclusive",
        lookup_key: `${nonce}-${plan}-${interval}`,
        metadata: { plan },
      });
    return { month: await price("month"), year: await price("year") };
  };
  return { small: await make("small"), large: await make("large") };
}

/** Prices can't be deleted. */
async function archive(stripe: Stripe, prices: Prices): Promise<void> {
  for (const { month, year } of Object.values(prices)) {
    for (const { id } of [month, year]) await stripe.prices.update(id, { active: false });
    await stripe.products.update(String(month.product), { active: false });
  }
}
