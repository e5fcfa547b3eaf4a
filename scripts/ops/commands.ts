import { csvFormats } from "#app/core/text/csv.ts";
import { findLengthMin, reviewListNames } from "#app/modules/operators/rules.ts";
import { hooks } from "#app/features.server.ts";
import { withdrawalStates } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { featureTools } from "../features.ts";
import { type Command, get, post } from "./command.ts";

export const commands: Record<string, Command> = {
  person: {
    takes: "WHO…",
    does: "a person: by address, order number, name, device or Stripe id; --all for long lists",
    ask: (parts) => get("/person", { find: parts.join(" ") }),
  },
  "sign-out": {
    takes: "ADDRESS",
    does: "signs a customer out of every browser",
    ask: ([address]) => post("/sign-outs", { address }),
  },
  numbers: {
    takes: "",
    does: "who waits, joined, pays, is behind; revenue by month; why plans were cancelled",
    ask: () => get("/numbers", {}),
  },
  export: {
    takes: "YEAR [FORMAT]",
    accepted: csvFormats,
    does: "writes every sale, refund and lost dispute of a year to a CSV file, with numbers and tax: comma or semicolon",
    ask: ([year], { after }) => get("/export", { year, after }),
  },
  ...Object.assign({}, ...featureTools.map(({ operators }) => operators?.commands)),
  review: {
    takes: "[LIST]",
    accepted: reviewListNames(hooks),
    does: "everything that waits for a decision, with its due date; or one list of it",
    ask: ([list], { after }) => get("/review", { list, after }),
  },
  decide: {
    takes: "ID DECISION REASON…",
    does: "an entry: clear, reject; a referral or its friend discount: approve, void; a withdrawal: contest, a cancellation: close, whose reason is emailed to the customer, or match, whose reason begins with its order",
    ask: ([id, decision, ...reason]) => post("/decisions", { id, decision, reason: reason.join(" ") }),
  },
  order: {
    takes: "NUMBER",
    does: "one order with its lines and what happened to it; an id will do, too",
    ask: ([order]) => get("/order", { order }),
  },
  withdrawals: {
    takes: "[STATE]",
    accepted: withdrawalStates,
    does: "declarations of withdrawal, the next refund due first; those that are open, unless a state is named",
    ask: ([state], { after }) => get("/withdrawals", { state, after }),
  },
  "resend-mail": {
    takes: "ID",
    does: "tries an email again that waits or failed",
    ask: ([email]) => post("/mails", { mail: email }),
  },
  "resend-receipt": {
    takes: "NUMBER",
    does: "emails the receipt of an order once more, with what was refunded since; once a minute",
    ask: ([order]) => post("/receipts", { order }),
  },
  "demo-code": {
    takes: "ADDRESS",
    does: "the code that a browser waits for, of a demo address; not in production",
    ask: ([address]) => post("/demo-codes", { address }),
  },
  log: { takes: "", does: "what operators asked and did, newest first", ask: (_, { after }) => get("/log", { after }) },
};

/** The expected value of a field, if the refusal's text doesn't name it. */
export function sayField({ accepted = [] }: Command, { field, problem }: { field: string; problem: string }): string {
  const wanted: Record<string, string> = {
    "email-malformed": "an email address",
    "find-too-short": `at least ${findLengthMin} characters`,
    ...Object.assign({}, ...featureTools.map(({ operators }) => operators?.fields)),
    "state-unknown": accepted.join(", "),
    "list-unknown": accepted.join(", "),
    "year-malformed": "a year like 2026",
    "decision-unknown":
      "clear or reject for an entry, approve or void for a referral or its friend discount, contest for a withdrawal, match or close for a cancellation",
    "order-malformed": "a number like 2026-000041, or an id",
    "id-malformed": "an id, as review and entries show it",
    "mail-malformed": "a mail's id, as person and review show it",
    "reason-too-long": "at most 300 letters",
  };
  return `${field}: ${wanted[problem] ? `has to be ${wanted[problem]}` : problem}`;
}
