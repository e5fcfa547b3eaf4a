import { csvFormats } from "#app/core/text/csv.ts";
import { findLengthMin, reviewListNames } from "#app/modules/operators/rules.ts";
import { withdrawalStates } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { waveMax } from "#app/modules/waitlist/invitations.rules.ts";
import { entryStates } from "#app/modules/waitlist/rules.ts";

export type Call = { method: "GET" | "POST"; path: string; body?: object };
type Paging = { after: string | undefined };

export type Command = {
  /** Its syntax: required arguments in capitals, optional ones in brackets. */
  takes: string;
  does: string;
  accepted?: readonly string[];
  ask: (args: string[], paging: Paging) => Call;
};

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
  invite: {
    takes: "N",
    does: "invites the next N in line",
    ask: ([count]) => post("/invitations", { count: Number(count) }),
  },
  entries: {
    takes: "[STATE]",
    accepted: entryStates,
    does: "the line, in its order",
    ask: ([state], { after }) => get("/entries", { state, after }),
  },
  review: {
    takes: "[LIST]",
    accepted: reviewListNames,
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
    "count-malformed": `a whole number from 1 to ${waveMax}`,
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

function get(path: string, query: Record<string, string | undefined>): Call {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "",
  );
  return { method: "GET", path: given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path };
}

function post(path: string, body: object): Call {
  return { method: "POST", path, body };
}
