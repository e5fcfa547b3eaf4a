/**
 * `npm run ops -- <command>`: what the team asks and decides, by /api/operator. It talks to PUBLIC_ORIGIN with OPERATOR_TOKEN, both from
 * the environment, else to the site that runs from this clone, else to the one of .dev.vars; `--as NAME` says who asks, for the log.
 */
import { parseArgs } from "node:util";
import { withdrawalStates } from "../app/domain/orders/withdrawals.rules.ts";
import { waveMax } from "../app/domain/waitlist/invitations.rules.ts";
import { entryStates } from "../app/domain/waitlist/rules.ts";
import { readDevVars } from "./dev-vars.mjs";
import { findSite } from "./running-site.ts";
import { spell } from "./spell.mjs";

/** Each command: how it is written, what it does, and the request that it makes. */
const commands = {
  person: {
    takes: "ADDRESS",
    does: "everything about somebody: plan, orders, devices, mails",
    ask: get("/person", "address"),
  },
  "sign-out": {
    takes: "ADDRESS",
    does: "signs somebody out of every browser",
    ask: ([address]) => post("/sign-outs", { address }),
  },
  numbers: { takes: "", does: "who waits, joined, pays, is behind; revenue by month", ask: get("/numbers") },
  invite: {
    takes: "N",
    does: "invites the next N in line",
    ask: ([count]) => post("/invitations", { count: Number(count) }),
  },
  entries: { takes: "[STATE]", states: entryStates, does: "the line, in its order", ask: get("/entries", "state") },
  review: { takes: "", does: "everything that waits for somebody's decision", ask: get("/review") },
  decide: {
    takes: "ID DECISION REASON…",
    does: "an entry: clear, reject; a referral or its friend discount: approve, void; a withdrawal: contest",
    ask: ([id, decision, ...reason]) => post("/decisions", { id, decision, reason: reason.join(" ") }),
  },
  order: {
    takes: "NUMBER",
    does: "one order with its lines and what happened to it; an id will do, too",
    ask: get("/order", "order"),
  },
  withdrawals: {
    takes: "[STATE]",
    states: withdrawalStates,
    does: "declarations of withdrawal; those that are open, unless a state is named",
    ask: get("/withdrawals", "state"),
  },
  "resend-mail": {
    takes: "ID",
    does: "tries a mail again that waits or failed",
    ask: ([mail]) => post("/mails", { mail }),
  },
  log: { takes: "", does: "what operators asked and did, newest first", ask: get("/log") },
};

const { positionals, values } = readArguments();
const [name = "", ...rest] = positionals;
const command = Object.hasOwn(commands, name) ? commands[name] : null;
if (command === null) {
  stop([
    ...(name === "" ? [] : [`There is no command "${name}".`, ""]),
    "npm run ops -- COMMAND [--as NAME] [--json]",
    "",
    ...Object.entries(commands).map(([word, { takes, does }]) => `  ${`${word} ${takes}`.padEnd(28)}${does}`),
  ]);
}
const words = command.takes === "" ? [] : command.takes.split(" ");
const isMissing = rest.length < words.filter((word) => /^[A-Z]/.test(word)).length;
if (isMissing || (rest.length > words.length && !command.takes.endsWith("…"))) {
  stop([`npm run ops -- ${name} ${command.takes || "takes nothing more"}`, `  ${command.does}`]);
}
await call(command, command.ask(rest));

/** What a field should have been, where the refusal's own word doesn't say it. */
function sayField({ states = [] }, { field, problem }) {
  const wanted = {
    "email-malformed": "an e-mail address",
    "count-malformed": `a whole number from 1 to ${waveMax}`,
    "state-unknown": states.join(", "),
    "decision-unknown":
      "clear or reject for an entry, approve or void for a referral or its friend discount, contest for a withdrawal",
    "order-malformed": "a number like 2026-000041, or an id",
    "id-malformed": "an id, as review and entries show it",
    "mail-malformed": "a mail's id, as person and review show it",
    "reason-too-long": "at most 300 letters",
  }[problem];
  return `${field}: ${wanted ? `has to be ${wanted}` : problem}`;
}

async function call(command, { method, path, body }) {
  const local = { ...readDevVars(), ...originOf(findSite()) };
  const setting = (key) => process.env[key] ?? local[key] ?? "";
  const missing = ["PUBLIC_ORIGIN", "OPERATOR_TOKEN"].filter((key) => setting(key) === "");
  if (missing.length > 0) stop(missing.map((key) => `${key} is missing: set it in the environment or in .dev.vars`));
  const origin = setting("PUBLIC_ORIGIN");
  // Beside the answer, which other programs may read.
  console.error(`Asking ${origin}`);
  const answer = await fetch(`${origin}/api/operator${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${setting("OPERATOR_TOKEN")}`,
      Operator: values.as,
      ...(body && { "Content-Type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error) => stop([`${origin} doesn't answer: ${error.cause?.message ?? error.message}`]));
  const said = await answer.json().catch(() => stop([`${origin} answered ${answer.status}, and no JSON`]));
  if (values.json) console.log(JSON.stringify(said, null, 2));
  else if (answer.ok) console.log(spell(said));
  if (answer.ok) return;
  const fields = (said.errors ?? []).map((error) => sayField(command, error));
  stop([
    `${said.title ?? "Refused"} (${said.code ?? answer.status})`,
    ...(said.detail ? [said.detail] : []),
    ...fields,
  ]);
}

/** The site that runs from this clone, on whatever port. */
function originOf(site) {
  return site && { PUBLIC_ORIGIN: site.origin };
}

function get(path, parameter) {
  return ([value]) => {
    const query = parameter && value ? `?${new URLSearchParams({ [parameter]: value })}` : "";
    return { method: "GET", path: path + query };
  };
}

function post(path, body) {
  return { method: "POST", path, body };
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        as: { type: "string", default: process.env.USER ?? "unnamed" },
        json: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return stop([error.message]);
  }
}

function stop(lines) {
  console.error(lines.join("\n"));
  process.exit(1);
}
