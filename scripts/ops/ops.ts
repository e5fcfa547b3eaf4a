/**
 * `npm run ops -- <command>`: the team's queries and decisions, by /api/operator. Uses PUBLIC_ORIGIN and OPERATOR_TOKEN, both from
 * the environment, else the site that runs from this clone, else the one of .dev.vars; `--as NAME` names the operator, for the log.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { csvFormats } from "#app/core/text/csv.ts";
import type { Movement } from "#app/modules/billing/documents/movements.rules.ts";
import { readDevVars } from "../site/dev-vars.ts";
import type { Command } from "./command.ts";
import { commands, sayField } from "./commands.ts";
import { inNumberOrder, writeMovements } from "./export.ts";
import { print } from "./print.ts";
import { findSite } from "../site/running-site.ts";

const { positionals, values } = readArguments();
const [name = "", ...rest] = positionals;
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  stop([
    ...(name === "" ? [] : [`There is no command "${name}".`, ""]),
    "npm run ops -- COMMAND [--as NAME] [--after CURSOR] [--all] [--json]",
    "",
    ...Object.entries(commands).map(([word, { takes, does }]) => `  ${`${word} ${takes}`.padEnd(28)}${does}`),
  ]);
}
const parts = command.takes === "" ? [] : command.takes.split(" ");
const isMissing = rest.length < parts.filter((word) => /^[A-Z]/.test(word)).length;
if (isMissing || (rest.length > parts.length && !command.takes.endsWith("…"))) {
  stop([`npm run ops -- ${name} ${command.takes || "takes nothing more"}`, `  ${command.does}`]);
}
const connection = findConnection();
if (name === "export") await exportYear(command);
else await call(command);

async function call(command: Command): Promise<void> {
  const received = await ask(command, values.after);
  if (values.json) process.stdout.write(`${JSON.stringify(received, null, 2)}\n`);
  else process.stdout.write(`${print(received, { command: name, args: rest, isAll: values.all })}\n`);
}

/** Page by page into one file, since npm writes lines of its own to the standard output; with `--json` to that output. */
async function exportYear(command: Command): Promise<void> {
  const [year = "", wanted = "comma"] = rest;
  const format = csvFormats.find((known) => known === wanted);
  if (format === undefined) stop([`"${wanted}" is no format: ${csvFormats.join(" or ")}`]);
  const movements: Movement[] = [];
  let answer = {};
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    // The site's own answer, by `exportMovements`.
    const page = (await ask(command, after)) as { movements: Movement[]; next: string | null };
    movements.push(...page.movements);
    after = page.next ?? undefined;
    answer = { ...page, movements: inNumberOrder(movements) };
  }
  if (values.json) return void process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  const file = `movements-${year}.csv`;
  writeFileSync(file, writeMovements(movements, format));
  console.log(`${file}: ${movements.length} movements, days in the seller's time zone`);
}

function findConnection(): { origin: string; token: string } {
  const running = findSite();
  const local: Record<string, string> = { ...readDevVars(), ...(running && { PUBLIC_ORIGIN: running.origin }) };
  const setting = (key: string) => process.env[key] ?? local[key] ?? "";
  const missing = ["PUBLIC_ORIGIN", "OPERATOR_TOKEN"].filter((key) => setting(key) === "");
  if (missing.length > 0) stop(missing.map((key) => `${key} is missing: set it in the environment or in .dev.vars`));
  const origin = setting("PUBLIC_ORIGIN");
  // Goes to stderr, since other programs may read the response.
  console.error(`Asking ${origin}\nTimes are in UTC.`);
  return { origin, token: setting("OPERATOR_TOKEN") };
}

/** The site's answer. A refusal ends the command. */
async function ask(command: Command, after: string | undefined): Promise<unknown> {
  const { method, path, body } = command.ask(rest, { after });
  const { origin, token } = connection;
  const answer = await fetch(`${origin}/api/operator${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      Operator: values.as,
      ...(body && { "Content-Type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => stop([`${origin} doesn't answer: ${causeOf(error)}`]));
  const received: unknown = await answer.json().catch(() => stop([`${origin} answered ${answer.status}, and no JSON`]));
  if (answer.ok) return received;
  if (values.json) process.stdout.write(`${JSON.stringify(received, null, 2)}\n`);
  return stop(sayRefusal(command, received, answer.status));
}

/** A problem of RFC 9457, as the site returns it. */
type Problem = { title?: string; code?: string; detail?: string; errors?: { field: string; problem: string }[] };

function sayRefusal(command: Command, received: unknown, status: number): string[] {
  // The site's own response; another program's has none of these.
  const { title = "Refused", code, detail, errors = [] } = (received ?? {}) as Problem;
  return [
    `${title} (${code ?? status})`,
    ...(detail ? [detail] : []),
    ...errors.map((error) => sayField(command, error)),
  ];
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        as: { type: "string", default: process.env["USER"] ?? "unnamed" },
        after: { type: "string" },
        all: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return stop([causeOf(error)]);
  }
}

function stop(lines: string[]): never {
  console.error(lines.join("\n"));
  process.exit(1);
}
