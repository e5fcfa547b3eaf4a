import { type Expiry, readExpiry } from "../money/cards.ts";
import {
  CANCELS,
  CHECKOUT_OUTCOMES,
  DEBIT_OUTCOMES,
  DISPUTE_OUTCOMES,
  HELD,
  PAUSED,
  type ControlCommand,
} from "./control-commands.ts";
import { FRAUD_TYPES } from "../objects/payments/early-fraud-warnings.ts";
import { PAUSE_CAUSES, PAUSES_AFTER } from "../actions/subscriptions/pause-subscription.ts";
import { RESUMES } from "../actions/subscriptions/resume-after-payment.ts";
import { AFTER_LAST_RETRY } from "../time/billing-times.ts";
import { CREDIT_AT_CHECKOUT, type Disorder, FAULT_KINDS } from "../http/disorder.ts";
import { invalid, missingParameter, unknownUrl } from "../http/stripe-errors.ts";

const ADVANCE_DAYS_MAX = 3_660;
/** As in Stripe's dashboard: an old secret also signs for at most a day. */
const KEEP_HOURS_MAX = 24;

type Fields = Map<string, unknown>;

export const CONTROL_CALLS: Record<string, (fields: Fields) => ControlCommand> = {
  clock: (fields) => {
    if (isGiven(fields, "startDaysAgo"))
      return { kind: "clock-start", startDaysAgo: numberTo(ADVANCE_DAYS_MAX, fields, "startDaysAgo") };
    return { kind: "clock", advanceDays: numberTo(ADVANCE_DAYS_MAX, fields, "advanceDays") };
  },
  checkout: (fields) => ({
    kind: "checkout",
    session: text(fields, "session"),
    outcome: oneOf(CHECKOUT_OUTCOMES, fields.get("outcome"), "outcome"),
  }),
  refund: (fields) => ({
    kind: "refund",
    order: text(fields, "order"),
    amountMinor: isGiven(fields, "amountMinor") ? count(fields.get("amountMinor"), "amountMinor") : null,
    amount: isGiven(fields, "amount") ? String(fields.get("amount")) : null,
  }),
  dispute: (fields) => ({
    kind: "dispute",
    order: text(fields, "order"),
    amountMinor: isGiven(fields, "amountMinor") ? count(fields.get("amountMinor"), "amountMinor") : null,
    outcome: isGiven(fields, "outcome") ? oneOf(DISPUTE_OUTCOMES, fields.get("outcome"), "outcome") : null,
  }),
  warning: (fields) => ({
    kind: "warning",
    order: text(fields, "order"),
    fraudType: isGiven(fields, "fraudType")
      ? oneOf(FRAUD_TYPES, fields.get("fraudType"), "fraudType")
      : "made_with_stolen_card",
  }),
  card: (fields) => ({ kind: "card", order: text(fields, "order"), expires: readExpires(fields) }),
  debit: (fields) => ({
    kind: "debit",
    order: text(fields, "order"),
    outcome: oneOf(DEBIT_OUTCOMES, fields.get("outcome"), "outcome"),
  }),
  hold: (fields) => ({
    kind: "hold",
    subscription: text(fields, "subscription"),
    held: oneOf(HELD, fields.get("held"), "held"),
  }),
  pause: (fields) => ({
    kind: "pause",
    subscription: text(fields, "subscription"),
    paused: oneOf(PAUSED, fields.get("paused"), "paused"),
    cause: isGiven(fields, "cause") ? oneOf(PAUSE_CAUSES, fields.get("cause"), "cause") : "pause_requested",
  }),
  retries: (fields) => ({
    kind: "retries",
    pausesAfter: oneOf(PAUSES_AFTER, fields.get("pausesAfter") ?? "never", "pausesAfter"),
    resumes: oneOf(RESUMES, fields.get("resumes") ?? "never", "resumes"),
    afterLast: isGiven(fields, "afterLast") ? oneOf(AFTER_LAST_RETRY, fields.get("afterLast"), "afterLast") : null,
  }),
  portal: () => ({ kind: "portal" }),
  cancel: (fields) => ({
    kind: "cancel",
    subscription: text(fields, "subscription"),
    cancels: oneOf(CANCELS, fields.get("cancels"), "cancels"),
    inDays: isGiven(fields, "inDays") ? numberTo(ADVANCE_DAYS_MAX, fields, "inDays") : null,
  }),
  disorder: (fields) => ({ kind: "disorder", disorder: readDisorder(fields) }),
  resend: (fields) => ({ kind: "resend", event: text(fields, "event") }),
  secret: (fields) => ({ kind: "secret", keepHours: numberTo(KEEP_HOURS_MAX, fields, "keepHours") }),
};

/** Accepts JSON and form fields: a form's values are strings, and its fault is two fields. */
export function readCommand(pathname: string, body: unknown): ControlCommand {
  const name = /^\/control\/(\w+)$/.exec(pathname)?.[1] ?? "";
  const read = Object.hasOwn(CONTROL_CALLS, name) ? CONTROL_CALLS[name] : undefined;
  if (read === undefined) throw unknownUrl("POST", pathname);
  return read(new Map(typeof body === "object" && body !== null ? Object.entries(body) : []));
}

function text(fields: Fields, name: string): string {
  const value = fields.get(name);
  if (typeof value === "string" && value !== "") return value;
  throw missingParameter(name);
}

const isGiven = (fields: Fields, name: string): boolean => {
  const value = fields.get(name);
  return value !== undefined && value !== null && value !== "";
};

/** "2028-03", as the site writes it, or "03 / 28", as customers do. */
function readExpires(fields: Fields): Expiry | null {
  if (!isGiven(fields, "expires")) return null;
  const typed = String(fields.get("expires"));
  const expiry = readExpiry(typed.replace(/^(\d{4})-(\d{2})$/, "$2/$1"));
  if (expiry !== null) return expiry;
  throw invalid("expires must be a month, like 2028-03.", { param: "expires" });
}

function numberTo(most: number, fields: Fields, name: string): number {
  const number = isGiven(fields, name) ? Number(fields.get(name)) : Number.NaN;
  if (number >= 0 && number <= most) return number;
  throw invalid(`${name} must be a number from 0 to ${most}.`, { param: name });
}

const DISORDERS = [
  "duplicate",
  "shuffle",
  "delayMs",
  "drop",
  "apiFault",
  "faultKind",
  "faultNext",
  "rateLimit",
  "creditAtCheckout",
];

function readDisorder(fields: Fields): Disorder {
  for (const name of fields.keys()) {
    if (!DISORDERS.includes(name)) throw invalid(`Unknown disorder: ${name}`, { param: name });
  }
  const duplicate = count(fields.get("duplicate"), "duplicate");
  const delayMs = count(fields.get("delayMs"), "delayMs");
  const drop = readDrop(fields.get("drop"));
  const apiFault = readFault(fields);
  const rateLimit = count(fields.get("rateLimit"), "rateLimit");
  const creditAtCheckout = fields.get("creditAtCheckout") ?? "";
  return {
    ...(duplicate > 0 && { duplicate }),
    ...(delayMs > 0 && { delayMs }),
    ...(isTrue(fields.get("shuffle")) && { shuffle: true }),
    ...(drop !== null && { drop }),
    ...(apiFault !== null && { apiFault }),
    ...(rateLimit > 0 && { rateLimit }),
    ...(creditAtCheckout !== "" && {
      creditAtCheckout: oneOf(CREDIT_AT_CHECKOUT, creditAtCheckout, "creditAtCheckout"),
    }),
  };
}

function readDrop(value: unknown): number | string[] | null {
  if (Array.isArray(value)) return value.map(String);
  const isTyped = typeof value === "string" && value.includes(".");
  if (isTyped) return value.split(",").map((type) => type.trim());
  const next = count(value, "drop");
  return next === 0 ? null : next;
}

function readFault(fields: Fields): Disorder["apiFault"] | null {
  const given = fields.get("apiFault");
  const inner: Fields = new Map(typeof given === "object" && given !== null ? Object.entries(given) : []);
  const kind = inner.get("kind") ?? fields.get("faultKind") ?? "";
  if (kind === "") return null;
  return {
    kind: oneOf(FAULT_KINDS, String(kind), "apiFault.kind"),
    next: count(inner.get("next") ?? (fields.get("faultNext") || 1), "apiFault.next"),
  };
}

const isTrue = (value: unknown): boolean => value === true || value === "true" || value === "on";

function count(value: unknown, name: string): number {
  const number = value === undefined || value === "" || value === false ? 0 : value === true ? 1 : Number(value);
  if (Number.isInteger(number) && number >= 0) return number;
  throw invalid(`${name} must be a whole number, 0 or more.`, { param: name });
}

function oneOf<Choice extends string>(choices: readonly Choice[], value: unknown, name: string): Choice {
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw invalid(`${name} must be one of ${choices.join(", ")}.`, { param: name });
}
