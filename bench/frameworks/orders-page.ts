/** What the page of orders is in every framework: its statements, its data, and its texts as the site's own page has them. */
export type ListedOrder = {
  id: string;
  plan: string;
  number: string;
  paidAt: number;
  amountMinor: number;
  currency: string;
};
export type OrdersPage = { orders: ListedOrder[]; account: { locale: string; timeZone: string } };

type OrderRow = {
  id: string;
  currency: string;
  amount_minor: number;
  number_year: number;
  number_in_year: number;
  paid_at: number;
};
type AccountRow = { locale: string; time_zone: string };
type Database = {
  prepare: (sql: string) => { bind: (...values: unknown[]) => unknown };
  batch: (statements: never[]) => Promise<{ results: unknown[] }[]>;
};

export const rowsShown = 20;
export const columns = ["Description", "Date", "Number", "Status", "Amount"];
export const caption = "Orders";
export const lineText = "Twenty-five letters of it.";
export const paidGlyph = "m2.5 6.5 2.5 2.5 4.5-6";

/** Two statements in one round trip. */
export async function readOrders(database: unknown, accountId: string): Promise<OrdersPage> {
  // D1's types are a project's own.
  const db = database as Database;
  const statements = [
    db
      .prepare(
        `select id, currency, amount_minor, number_year, number_in_year, paid_at from orders where account_id = ?
         order by created_at desc, id desc limit ?`,
      )
      .bind(accountId, rowsShown + 1),
    db.prepare("select locale, time_zone from accounts where id = ?").bind(accountId),
  ];
  const [rows, accounts] = await db.batch(statements as never[]);
  const [account] = (accounts?.results ?? []) as AccountRow[];
  return {
    orders: ((rows?.results ?? []) as OrderRow[]).slice(0, rowsShown).map((row) => ({
      id: row.id,
      plan: "Sample",
      number: `${row.number_year}-${String(row.number_in_year).padStart(6, "0")}`,
      paidAt: row.paid_at,
      amountMinor: row.amount_minor,
      currency: row.currency,
    })),
    account: { locale: account?.locale ?? "en", timeZone: account?.time_zone ?? "UTC" },
  };
}

/** Formatters are made once, like the site's. */
const formats = new Map<
  string,
  { exact: Intl.DateTimeFormat; exactTime: Intl.DateTimeFormat; day: Intl.DateTimeFormat }
>();
const amounts = new Map<string, Intl.NumberFormat>();

/** The texts of a row. */
export function sayOrder(order: ListedOrder, { locale, timeZone }: OrdersPage["account"]) {
  const { exact, exactTime, day } = formatsOf(locale, timeZone);
  return {
    what: `${order.plan} – renewal`,
    hidden: `, ${order.number}`,
    instant: new Date(order.paidAt).toISOString(),
    title: `${exact.format(order.paidAt)}, ${exactTime.format(order.paidAt)}`,
    day: day.format(order.paidAt).replaceAll(/\s/g, "\u00a0"),
    state: "Paid",
    amount: amountFormat(locale, order.currency).format(order.amountMinor / 100),
  };
}

function formatsOf(locale: string, timeZone: string) {
  const name = `${locale} ${timeZone}`;
  let found = formats.get(name);
  if (found === undefined) {
    found = {
      exact: new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone }),
      exactTime: new Intl.DateTimeFormat(locale, { timeStyle: "long", timeZone }),
      day: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone }),
    };
    formats.set(name, found);
  }
  return found;
}

function amountFormat(locale: string, currency: string): Intl.NumberFormat {
  const name = `${locale} ${currency}`;
  const found = amounts.get(name) ?? new Intl.NumberFormat(locale, { style: "currency", currency });
  amounts.set(name, found);
  return found;
}
