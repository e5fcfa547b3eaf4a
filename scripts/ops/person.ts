/** A person: five lines that answer most questions, links to Stripe, then short tables of the newest. */
import { formatQuantity } from "#app/core/text/quantity.ts";
import { columnsMax, isRow, money, quoted, type Row, rowsOf, spell, table } from "./table.ts";
import { featureTools } from "../features.ts";
import { wrap } from "./wrap.ts";

const newest = 10;

export function printPerson(person: Row, isAll: boolean): string {
  if (Array.isArray(person["matches"])) {
    const rows = rowsOf(person["matches"]).map(({ id, name, email, state }) => ({ id, name, email, state }));
    return `${rows.length} people fit; ask again by address or id:\n\n${table(rows)}`;
  }
  const { summary } = person;
  if (!isRow(summary)) return spell(person);
  const attention = Array.isArray(summary["attention"]) ? summary["attention"].map(String) : [];
  const lines = [
    ["who", summary["who"]],
    ["plan", `${String(summary["plan"])}; paid until: ${String(summary["paidUntil"])}`],
    ["card", summary["card"]],
    ["last sign-in", summary["lastSignIn"]],
    ["attention", attention.length === 0 ? "nothing" : attention.join("; ")],
  ] as const;
  const links = Array.isArray(person["links"]) ? person["links"].map((link) => `  ${String(link)}`) : [];
  return [
    lines
      .map(([name, value]) => `${name.padEnd(14)}${wrap(String(value), { columns: columnsMax, indent: 14 })}`)
      .join("\n"),
    ...(links.length > 0 ? [links.join("\n")] : []),
    ...sections(person).flatMap(({ title, rows }) => (rows.length === 0 ? [] : [section(title, rows, isAll)])),
  ].join("\n\n");
}

function section(title: string, rows: Row[], isAll: boolean): string {
  const shown = isAll ? rows : rows.slice(0, newest);
  const more = shown.length < rows.length ? ` (the newest ${shown.length} of ${rows.length}; --all shows all)` : "";
  return `${title}${more}\n${table(shown, "  ")}`;
}

/** The response's lists, each newest first and with the most relevant columns; `--json` has the rest. */
function sections(person: Row): { title: string; rows: Row[] }[] {
  const plan = isRow(person["plan"]) ? person["plan"] : {};
  const referrals = isRow(person["referrals"]) ? person["referrals"] : {};
  return [
    { title: "orders", rows: newestFirst(person["orders"], "createdAt").map(describeOrder) },
    { title: "subscriptions", rows: newestFirst(plan["subscriptions"], "startedAt").map(describePlan) },
    { title: "withdrawals", rows: newestFirst(person["withdrawals"], "declaredAt").map(describeWithdrawal) },
    { title: "cancellations", rows: newestFirst(person["cancellations"], "declaredAt").map(describeCancellation) },
    {
      title: "emails",
      rows: newestFirst(person["mails"], "createdAt").map(({ createdAt, template, state, refusal, returned, id }) => ({
        queued: createdAt,
        template,
        state,
        refusal,
        returned,
        id,
      })),
    },
    {
      title: "devices",
      rows: newestFirst(person["devices"], "lastSeenAt").map(({ name, platform, state, activatedAt, lastSeenAt }) => ({
        name,
        platform,
        state,
        activated: activatedAt,
        seen: lastSeenAt,
      })),
    },
    {
      title: "usage",
      rows: rowsOf(person["usage"]).map(({ meter, unit, used, limit, reportedAt }) => ({
        meter,
        used: quantity(used, unit),
        limit: quantity(limit, unit),
        reported: reportedAt,
      })),
    },
    {
      title: "sessions",
      rows: newestFirst(person["sessions"], "lastUsedAt").map(({ device, place, createdAt, lastUsedAt }) => ({
        device,
        place,
        began: createdAt,
        used: lastUsedAt,
      })),
    },
    {
      title: "activity",
      rows: newestFirst(person["activities"], "happenedAt").map(
        ({ happenedAt, what, result, reason, device, place }) => ({
          at: happenedAt,
          what,
          result,
          reason,
          device,
          place,
        }),
      ),
    },
    ...featureTools.flatMap(({ operators }) => operators?.person(person) ?? []),
    { title: "friends brought", rows: rowsOf(referrals["brought"]).map(describeReferral) },
    { title: "brought by", rows: rowsOf(referrals["broughtBy"]).map(describeReferral) },
    {
      title: "friend discount",
      rows: rowsOf(referrals["discounts"]).map(({ id, state, why, amountMinor, currency, createdAt }) => ({
        id,
        amount: money(amountMinor, currency),
        state,
        why,
        since: createdAt,
      })),
    },
    {
      title: "credit",
      rows: newestFirst(referrals["credit"], "happenedAt").map(({ happenedAt, kind, why, amountMinor, currency }) => ({
        at: happenedAt,
        kind,
        why,
        amount: money(amountMinor, currency),
      })),
    },
  ];
}

function quantity(value: unknown, unit: unknown): unknown {
  return typeof value === "number" && (unit === "bytes" || unit === "count")
    ? formatQuantity(value, unit, "en")
    : value;
}

function describeOrder(row: Row): Row {
  const { createdAt, number, id, kind, planId, interval, state, dispute, failure } = row;
  return {
    date: String(createdAt).slice(0, 10),
    number,
    // An unpaid order has no number.
    id: number === null ? id : "",
    what: [kind, planId, interval].join(" "),
    amount: money(row["amountMinor"], row["currency"]),
    refunded: row["refundedMinor"] === 0 ? "" : money(row["refundedMinor"], row["currency"]),
    state,
    reason: dispute === "none" ? failure : `dispute ${String(dispute)}`,
    due: String(row["disputeDueAt"] ?? "").slice(0, 10),
  };
}

function describeReferral({ id, friend, referrer, state, voidWhy, waitsUntil }: Row): Row {
  return { id, friend, referrer, state, why: voidWhy, until: waitsUntil };
}

function describePlan({ id, planId, interval, amountMinor, currency, state, periodEndsAt, cancelsAt }: Row): Row {
  const price = money(amountMinor, currency);
  return { id, plan: [planId, interval, price].join(" "), state, period: periodEndsAt, ends: cancelsAt };
}

function describeWithdrawal({ declaredAt, number, orderTyped, state, declaredBy, refundDueOn, ...row }: Row): Row {
  const order = number ?? quoted(orderTyped);
  return { declared: declaredAt, order, state, by: declaredBy, due: refundDueOn, reason: row["contestReason"] };
}

function describeCancellation({
  id,
  declaredAt,
  orderTyped,
  kind,
  state,
  declaredBy,
  endsOn,
  failure,
  ...row
}: Row): Row {
  const order = quoted(orderTyped);
  return {
    id,
    declared: declaredAt,
    order,
    kind,
    state,
    by: declaredBy,
    wanted: endsOn,
    failure,
    closed: row["closedAt"],
  };
}

function newestFirst(list: unknown, by: string): Row[] {
  return rowsOf(list).toSorted((left, right) => String(right[by]).localeCompare(String(left[by])));
}
