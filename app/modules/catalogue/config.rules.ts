/**
 * Checks what the types of `app/product/config.ts` can't express. Pure: lists every problem with a stable code and the path of the
 * setting. An amount listed here can't be shown or charged as written.
 */
import { currencies, minimumCharge } from "#app/core/money/currencies.ts";
import { minorDigits } from "#app/core/money/minor-digits.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { amountStep } from "#app/core/money/round-amount.ts";
import { type ConfigProblem, problemIf, problemsOfName, problemsOfNames } from "./config-problems.rules.ts";
import { checkPlans } from "./config-plans.rules.ts";
import { checkEmailLimits } from "./email-limits.rules.ts";
import { checkThirdParties } from "./config-third-parties.rules.ts";
import { intervalsOf, isSold, type Plan, type ProductConfig } from "./rules.ts";
import { gateProblem } from "./gate.rules.ts";

export function checkConfig(config: ProductConfig): ConfigProblem[] {
  return [
    ...checkMoney(config),
    ...checkPlans(config),
    ...checkNames(config),
    ...checkSentences(config),
    ...checkStatementDescriptor(config),
    ...checkTax(config),
    ...checkReminder(config),
    ...checkGate(config),
    ...checkThirdParties(config),
    ...checkEmailLimits(config),
  ];
}

type Amount = { amountMinor: number; path: string };

function checkMoney(config: ProductConfig): ConfigProblem[] {
  const { currency } = config;
  if (!currencies.includes(currency)) {
    const message = `Stripe doesn't charge in "${currency}". Use one of its currencies, in capitals: EUR, USD, GBP …`;
    return [{ code: "currency-unknown", message, path: "currency" }];
  }
  return [
    ...pricesOf(config).flatMap((price) => checkPrice(price, currency)),
    ...promisesOf(config).flatMap((amount) => checkStep(amount, currency)),
    ...checkDiscount(config),
  ];
}

function pricesOf({ plans }: ProductConfig, isMeant: (plan: Plan) => boolean = () => true): Amount[] {
  return plans.flatMap((plan, index) =>
    (isMeant(plan) ? intervalsOf(plan) : []).map((interval) => ({
      amountMinor: plan.prices?.[interval]?.amountMinor ?? 0,
      path: `plans[${index}].prices.${interval}.amountMinor`,
    })),
  );
}

/**
 * The first two are paid out as a refund, or as credit against a charge, and the third is compared with charges, so each has to be an
 * amount that Stripe accepts.
 */
function promisesOf({ referral }: ProductConfig): Amount[] {
  return [
    { amountMinor: referral.friendDiscountMinor, path: "referral.friendDiscountMinor" },
    { amountMinor: referral.referrerCreditMinor, path: "referral.referrerCreditMinor" },
    { amountMinor: referral.qualifyingAmountMinor, path: "referral.qualifyingAmountMinor" },
  ];
}

function checkPrice(price: Amount, currency: string): ConfigProblem[] {
  const least = minimumCharge(currency);
  if (price.amountMinor >= least) return checkStep(price, currency);
  const [configured, minimum] = [shown(price.amountMinor, currency), shown(least, currency)];
  const message = `${configured} is below Stripe's minimum charge of ${minimum}. Raise the price, or use prices: null for a free plan.`;
  return [{ code: "price-below-minimum", message, path: price.path }];
}

function checkStep({ amountMinor, path }: Amount, currency: string): ConfigProblem[] {
  const step = amountStep(currency);
  if (Number.isSafeInteger(amountMinor) && amountMinor >= 0 && amountMinor % step === 0) return [];
  const message =
    step === 1
      ? `${amountMinor} isn't a whole number of minor units of ${currency}, 0 or more.`
      : `Stripe charges ${currency} in multiples of ${step} minor units (${minorDigits(currency)} decimals): ${amountMinor} isn't one.`;
  return [{ code: "amount-not-chargeable", message, path }];
}

/**
 * A friend's first order after the discount has to cost at least Stripe's minimum charge: below that, signing up with one account after
 * another would make the plan nearly free. Retired plans can't be a first order.
 */
function checkDiscount(config: ProductConfig): ConfigProblem[] {
  const { currency, referral } = config;
  const { friendDiscountMinor } = referral;
  const cheapest = pricesOf(config, isSold).toSorted((left, right) => left.amountMinor - right.amountMinor)[0];
  const least = minimumCharge(currency);
  const leftMinor = (cheapest?.amountMinor ?? 0) - friendDiscountMinor;
  if (!cheapest || !(friendDiscountMinor > 0) || leftMinor >= least) return [];
  const [discount, price] = [shown(friendDiscountMinor, currency), shown(cheapest.amountMinor, currency)];
  const message =
    `The discount of ${discount} leaves less than Stripe's minimum charge of ${shown(least, currency)} of the price at ` +
    `${cheapest.path}, ${price}. Lower the discount, raise the price, or use 0 for no discount.`;
  return [{ code: "discounted-price-below-minimum", message, path: "referral.friendDiscountMinor" }];
}

function shown(amountMinor: number, currency: string): string {
  return Number.isSafeInteger(amountMinor) ? formatMoney({ amountMinor, currency }, "en") : String(amountMinor);
}

/** A meter's label begins an email's subject, so it is short and has no run of digits that reads like a code. */
const labelLengthMax = 30;

function checkNames({ segment, plans, meters }: ProductConfig): ConfigProblem[] {
  return [
    ...problemsOfNames(
      "plans",
      plans.map(({ id }) => id),
    ),
    ...problemsOfNames(
      "meters",
      meters.map(({ key }) => key),
    ),
    ...problemsOfName(segment, "segment"),
    ...meters.flatMap(({ label }, index) =>
      problemIf(
        /\d{8}/.test(label) || label.length > labelLengthMax,
        "meter-label-unsuitable",
        `meters[${index}].label`,
        `"${label}" begins an email's subject: at most ${labelLengthMax} characters, and no eight digits in a row.`,
      ),
    ),
  ];
}

/** An empty sentence would leave a gap in pages and emails, which are complete without the setting. */
function checkSentences(config: ProductConfig): ConfigProblem[] {
  const message = "It's empty. Write a sentence, or leave the setting out.";
  const { dataWhenSmaller = "", dataKeptDays } = config;
  return [
    ...(["dataWhenSmaller", "dataWhenClosed"] as const).flatMap((name) =>
      problemIf(config[name]?.trim() === "", "sentence-empty", name, message),
    ),
    ...problemIf(
      dataWhenSmaller.includes("{day}")
        ? !(Number.isInteger(dataKeptDays) && Number(dataKeptDays) > 0)
        : dataKeptDays !== undefined,
      "data-day-unknown",
      "dataKeptDays",
      "Use {day} in dataWhenSmaller together with dataKeptDays, a whole number of days, or neither.",
    ),
  ];
}

/** A config may be written by hand in another shape than the types say. */
function checkTax({ tax }: ProductConfig): ConfigProblem[] {
  const isRate = (percent: unknown) => typeof percent === "number" && percent > 0 && percent < 100;
  const isText = (text: unknown) => typeof text === "string" && text.trim() !== "";
  const isSuitable =
    typeof tax === "string"
      ? tax === "stripe"
      : "exempt" in tax
        ? isText(tax.exempt)
        : isRate(tax.rate) && isText(tax.name);
  const message =
    'Use "stripe" for Stripe Tax, { rate: 19, name: "VAT" } for a rate in percent that all prices include, or ' +
    '{ exempt: "…" } with the wording that the law wants on documents without tax.';
  return problemIf(!isSuitable, "tax-unsuitable", "tax", message);
}

/** No law asks for more than 45 days; longer before, a notice is forgotten again. */
const reminderDaysMax = 90;

function checkReminder({ renewalReminderDays: days = 1 }: ProductConfig): ConfigProblem[] {
  const isSuitable = Number.isInteger(days) && days >= 1 && days <= reminderDaysMax;
  const message = `${days} isn't a whole number of days from 1 to ${reminderDaysMax}.`;
  return problemIf(!isSuitable, "reminder-unsuitable", "renewalReminderDays", message);
}

/** Characters of a statement descriptor. Source: https://docs.stripe.com/get-started/account/statement-descriptors */
const descriptorLength = { min: 5, max: 22 };

/** As Stripe takes it. It strips letters that aren't ASCII without a word, so they are refused here. */
function checkStatementDescriptor({ statementDescriptor: text }: ProductConfig): ConfigProblem[] {
  if (text === undefined) return [];
  const { min, max } = descriptorLength;
  const isSound =
    text.length >= min && text.length <= max && /^[ -~]+$/.test(text) && !/[<>\\'"*]/.test(text) && /[a-z]/i.test(text);
  const message = `Use ${min} to ${max} letters, figures and signs without accents, at least one letter, and none of < > \\ ' " *`;
  return problemIf(!isSound, "statement-descriptor-refused", "statementDescriptor", `"${text}": ${message}.`);
}

function checkGate(config: ProductConfig): ConfigProblem[] {
  const message = gateProblem(config, config.gate ?? "none");
  return message === null ? [] : [{ code: "gate-unknown", message, path: "gate" }];
}
