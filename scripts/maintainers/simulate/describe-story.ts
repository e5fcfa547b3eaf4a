import { formatMoney } from "#app/core/money/money.ts";
import { isSold, priceOf, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { hasForm } from "./has-form.ts";
import { isOfPerson } from "./is-of-person.ts";
import { startsAt } from "./starts-at.ts";
import type {
  Death,
  DeclaredNumber,
  Deed,
  FailingCall,
  HeldInvoices,
  Means,
  PlanRole,
  Step,
  Story,
  WorldStep,
} from "./story.ts";

/** A story in plain words, a line per step with its day. */
export function describeStory(story: Story, product: ProductConfig): string {
  const day = (at: number) => `Day ${String(Math.floor((minutesToBegin + at) / 1440) + 1).padStart(3)}, ${timeOf(at)}`;
  const gate = story.isGated ? [`The ${nameOfPlan(product, "large")} plan is open by invitation only.`] : [];
  return [...gate, ...story.steps.map((step) => `${day(step.at)}: ${describeStep(step, product)}`)].join("\n");
}

/** Minutes from the first day's midnight until the story begins. */
const minutesToBegin = (startsAt / 60_000) % 1440;

const timeOf = (at: number): string => new Date(startsAt + at * 60_000).toISOString().slice(11, 16);

export function describeStep(step: Step, product: ProductConfig): string {
  if (!isOfPerson(step)) return describeChange(step);
  const { who, beside, heldBackMinutes, dies, databaseFails } = step;
  return [
    `${who} ${describeDeed(step, product)}.`,
    heldBackMinutes === undefined || !hasForm(step)
      ? ""
      : `The last byte of the form takes ${heldBackMinutes} minutes.`,
    beside
      ? `${heldBackMinutes === undefined ? "At the same time" : "Meanwhile"} ${beside.who} ${describeDeed(beside, product)}.`
      : "",
    dies ? describeDeath(dies) : "",
    databaseFails ? `Its call number ${databaseFails.call} to the database fails; ${outcomeOf(databaseFails)}.` : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

const outcomeOf = ({ when }: Pick<FailingCall, "when">): string =>
  when === "before" ? "nothing is written" : "what it wrote stays, and the answer is lost";

const describeDeath = ({ call, when }: Death): string => `The Worker dies ${when} its call number ${call}.`;

function describeDeed(deed: Deed, product: ProductConfig): string {
  const plan = (role: PlanRole) => nameOfPlan(product, role);
  switch (deed.do) {
    case "signs up":
      return `signs up as ${deed.address}${deed.by ? ` by the link of ${deed.by}` : ""}${deed.network === undefined ? "" : ` from network ${deed.network}`}`;
    case "buys":
      return `pays ${amountOf(product, deed.plan, deed.interval)} for ${plan(deed.plan)} by the ${deed.interval} ${meansOf(deed.with)}${deed.returns ? "" : " and doesn't return to the site"}`;
    case "leaves the checkout":
      return `goes to the checkout of ${plan(deed.plan)} by the ${deed.interval} and doesn't pay`;
    case "pays the open checkout":
      return `pays in the checkout that is still open ${meansOf(deed.with)}`;
    case "changes plan":
      return `changes to ${plan(deed.plan)} by the ${deed.interval}`;
    case "changes card":
      return `changes the payment method in the portal, and pays ${meansOf(deed.with)}`;
    case "withdraws":
      return `withdraws from the ${deed.order} order${deed.as === "owner" ? "" : " without signing in"}`;
    case "declares a cancellation":
      return `declares a cancellation without signing in, by ${numberOf(deed.number)}${deed.inDays === 0 ? "" : `, for ${deed.inDays} days later`}`;
    case "changes address":
      return `changes the address to ${deed.address}`;
    case "asks to be let in":
      return `asks to be let in as ${deed.address}${deed.by ? ` by the link of ${deed.by}` : ""}`;
    case "is refunded":
      return deed.share < 1
        ? `is refunded ${Math.round(deed.share * 100)}% of the ${deed.order} order`
        : `is refunded the ${deed.order} order`;
    case "disputes":
      return `disputes the ${deed.order} order`;
    case "is reported as fraud":
      return `is reported by the bank: the ${deed.order} order is said to be fraud`;
    case "has a referral decided":
      return `has a referral or a discount ${deed.verdict === "approve" ? "approved" : "refused"} by an operator`;
    case "has a request decided":
      return `has a request to be let in ${deed.verdict === "clear" ? "cleared" : "rejected"} by an operator`;
    case "reports usage":
      return `uses ${Math.round(deed.share * 100)}% of what the plan allows, measured ${deed.hoursAgo} hours ago`;
    case "has charges put on hold":
      return `has the charges put on hold by the team: invoices are ${fateOfInvoices[deed.invoices]}`;
    case "has the hold lifted":
      return "has the hold lifted by the team";
    case "has a debt written off":
      return `has a debt written off by the team: its invoice is ${deed.as}`;
    default:
      return deed.do;
  }
}

function numberOf(number: DeclaredNumber): string {
  if (number === "own") return "the number of the newest order";
  return number === "wrong" ? "a wrong number" : `the number of an order ${number}`;
}

const fateOfInvoices: Record<HeldInvoices, string> = {
  void: "void",
  mark_uncollectible: "written off",
  keep_as_draft: "left as drafts",
};

function describeChange(step: WorldStep): string {
  switch (step.do) {
    case "webhooks arrive":
      return step.how === "never"
        ? "Stripe's webhooks are lost from now on."
        : `Stripe's webhooks arrive ${step.how} from now on.`;
    case "email":
      return step.works ? "The email service works again." : "The email service fails.";
    case "Stripe fails":
      return `${step.times === 1 ? "The next call" : `The next ${step.times} calls`} to Stripe ${failureOf(step)}.`;
    case "the database fails":
      return `${step.oneIn === 1 ? "The next call" : `One in ${step.oneIn} calls`} to the database fails, ${step.times} ${step.times === 1 ? "time" : "times"}; ${outcomeOf(step)}.`;
    case "the Worker dies":
      return `In the next ${step.during === "cron" ? "cron run" : "webhook"} the Worker dies ${step.dies.when} its call number ${step.dies.call}.`;
    case "everything settles":
      return "All faults end, and everything settles.";
  }
}

function failureOf({ how, times }: WorldStep & { do: "Stripe fails" }): string {
  const is = times === 1 ? "is" : "are";
  if (how === "before") return times === 1 ? "doesn't arrive" : "don't arrive";
  return how === "after" ? `${is} carried out, and the answer is lost` : `${is} answered with ${how}`;
}

function meansOf(means: Means): string {
  if (means === "own card") return "by card";
  if (means === "second card") return "by a second card";
  if (means === "declined card") return "by a card that is declined";
  if (means === "card to confirm") return "by a card that asks for a confirmation";
  if (means === "card that fails later") return "by a card that is declined at each renewal";
  if (means === "wallet") return "by a wallet";
  if (means.startsWith("card of")) return `by the ${means}`;
  return `by ${means}`;
}

function nameOfPlan(product: ProductConfig, role: PlanRole): string {
  const [small, large = small] = product.plans.filter(isSold);
  return (role === "small" ? small : large)?.name ?? role;
}

function amountOf(product: ProductConfig, role: PlanRole, interval: "month" | "year"): string {
  const [small, large = small] = product.plans.filter(isSold);
  const plan = role === "small" ? small : large;
  const price = plan && priceOf(product, plan, interval);
  return price
    ? formatMoney({ amountMinor: price.amountMinor, currency: product.currency }, product.locale)
    : "the price";
}
