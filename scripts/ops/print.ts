import { printPerson } from "./person.ts";
import { isRow, type Row, spell, table, withMoney } from "./table.ts";

type How = { command: string; args: string[]; isAll: boolean };

/** What a command prints of an answer, where `--json` isn't asked for. */
export function print(said: unknown, { command, args, isAll }: How): string {
  if (!isRow(said)) return spell(said);
  if (command === "person") return printPerson(said, isAll);
  if (isRow(said["told"])) return printTold(said, said["told"]);
  if (isRow(said["totals"]) && isRow(said["next"])) return printReview(said, said["totals"], said["next"]);
  const list = Object.entries(said).find(([, part]) => Array.isArray(part));
  if (typeof said["total"] === "number" && list) {
    return printList(list, { total: said["total"], next: said["next"] }, [command, ...args].join(" "));
  }
  return spell(said);
}

/** After a decision: what the customer is told, word for word. */
function printTold({ state }: Row, told: Row): string {
  const emails = Array.isArray(told["emails"]) ? told["emails"].filter(isRow) : [];
  const note = told["note"] === null ? [] : [String(told["note"])];
  const written = emails.map(({ to, subject, text }) =>
    [`Email to ${String(to)}: ${String(subject)}`, "", ...String(text).trimEnd().split("\n")].join("\n  "),
  );
  return [
    `Done${state === undefined ? "" : `: ${String(state)}`}. What the customer is told:`,
    ...written,
    ...note,
  ].join("\n\n");
}

function printReview(said: Row, totals: Row, next: Row): string {
  const lists = Object.entries(totals).map(([name, total]) =>
    printList([name, said[name]], { total, next: next[name] }, `review ${name}`),
  );
  return lists.join("\n\n");
}

/** Ids that only the answer's other readers need, and what another column says already. */
const leftOut = new Set(["accountId", "friendId", "referrerId", "numberYear", "numberInYear", "review"]);

function printList(
  [name, list]: [string, unknown],
  { total, next }: { total: unknown; next: unknown },
  again: string,
): string {
  const rows = Array.isArray(list) ? list.filter(isRow).map((row) => forList(name, row)) : [];
  const cursor = typeof next === "string" ? `; more: npm run ops -- ${again} --after '${next}'` : "";
  return `${name}: ${rows.length} of ${String(total)}${cursor}\n${table(rows, "  ")}`;
}

function forList(name: string, row: Row): Row {
  if (name === "withdrawals") return withdrawal(row);
  if (name === "acts") return act(row);
  return Object.fromEntries(Object.entries(withMoney(row)).filter(([column]) => !leftOut.has(column)));
}

function act({ beganAt, operator, outcome, call, subject, reason, refusal }: Row): Row {
  return { at: beganAt, operator, outcome, call, subject, refusal, reason };
}

/** By when, whose, which order, and what would go back of it; the name that was typed is in `--json`. */
function withdrawal(row: Row): Row {
  const { id, refundDueAt, number, orderTyped, email, declaredBy, contestReason } = row;
  const { owed } = withMoney({ currency: row["currency"], owedMinor: row["owedMinor"] });
  return {
    ...{ id, due: String(refundDueAt ?? "").slice(0, 10), order: number ?? `"${String(orderTyped)}"`, owed },
    ...{ email, by: declaredBy, reason: contestReason },
  };
}
