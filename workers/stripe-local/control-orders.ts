import { type Disorder, FAULT_KINDS } from "./disorder.ts";
import { invalid, unknownUrl } from "./stripe-errors.ts";

const OUTCOMES = ["paid", "declined", "action", "processing", "cancelled", "expired"] as const;
const ADVANCE_DAYS_MAX = 3_660;

export type Order =
  | { kind: "clock"; advanceDays: number }
  | { kind: "checkout"; session: string; outcome: (typeof OUTCOMES)[number] }
  | { kind: "disorder"; disorder: Disorder };

/** JSON and form fields alike: a form's values are strings, and its fault is two fields. */
export function readOrder(pathname: string, body: unknown): Order {
  const fields = new Map<string, unknown>(typeof body === "object" && body !== null ? Object.entries(body) : []);
  switch (pathname) {
    case "/control/clock":
      return { kind: "clock", advanceDays: readDays(fields.get("advanceDays")) };
    case "/control/checkout":
      return {
        kind: "checkout",
        session: String(fields.get("session") ?? ""),
        outcome: oneOf(OUTCOMES, fields.get("outcome"), "outcome"),
      };
    case "/control/disorder":
      return { kind: "disorder", disorder: readDisorder(fields) };
    default:
      throw unknownUrl("POST", pathname);
  }
}

function readDays(value: unknown): number {
  const days = Number(value ?? Number.NaN);
  if (days >= 0 && days <= ADVANCE_DAYS_MAX) return days;
  throw invalid(`advanceDays must be a number from 0 to ${ADVANCE_DAYS_MAX}.`, { param: "advanceDays" });
}

function readDisorder(fields: Map<string, unknown>): Disorder {
  for (const name of fields.keys()) {
    if (!["duplicate", "shuffle", "delayMs", "drop", "apiFault", "faultKind", "faultNext"].includes(name))
      throw invalid(`Unknown disorder: ${name}`, { param: name });
  }
  const duplicate = count(fields.get("duplicate"), "duplicate");
  const delayMs = count(fields.get("delayMs"), "delayMs");
  const drop = readDrop(fields.get("drop"));
  const apiFault = readFault(fields);
  return {
    ...(duplicate > 0 && { duplicate }),
    ...(delayMs > 0 && { delayMs }),
    ...(isTrue(fields.get("shuffle")) && { shuffle: true }),
    ...(drop !== null && { drop }),
    ...(apiFault !== null && { apiFault }),
  };
}

function readDrop(value: unknown): number | string[] | null {
  if (Array.isArray(value)) return value.map(String);
  const isTyped = typeof value === "string" && value.includes(".");
  if (isTyped) return value.split(",").map((type) => type.trim());
  const next = count(value, "drop");
  return next === 0 ? null : next;
}

function readFault(fields: Map<string, unknown>): Disorder["apiFault"] | null {
  const given = fields.get("apiFault");
  const inner = new Map<string, unknown>(typeof given === "object" && given !== null ? Object.entries(given) : []);
  const kind = inner.get("kind") ?? fields.get("faultKind") ?? "";
  if (kind === "") return null;
  return {
    kind: oneOf(FAULT_KINDS, String(kind), "apiFault.kind"),
    next: count(inner.get("next") ?? fields.get("faultNext") ?? 1, "apiFault.next"),
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
