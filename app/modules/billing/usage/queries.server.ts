import type { AccountId } from "#app/core/id.ts";
import { and, eq, gt, or, type SQL, sql } from "drizzle-orm";
import type { App } from "#app/app.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import { usageValues } from "./schema.ts";

/** An account, or SQL that finds it. */
export type UsageAccount = AccountId | SQL<string | null>;

/** Sorts after every month and before every id. */
const afterMonths = "9";

/** The values that count now: this month's, and those of sources that no feature has retired. */
export function listUsage({ db, hooks }: Pick<App, "db" | "hooks">, account: UsageAccount, month: string) {
  const { accountId, meter, part, value, reportedAt } = usageValues;
  const retired = hooks.flatMap(({ retiredSources }) => retiredSources?.(account) ?? []);
  return db
    .select({ meter, part, value, reportedAt })
    .from(usageValues)
    .where(
      and(
        sql`${accountId} = ${account}`,
        or(eq(part, month), and(gt(part, afterMonths), ...retired.map((sources) => sql`${part} not in ${sources}`))),
      ),
    );
}

type Report = {
  account: UsageAccount;
  source: string;
  meter: string;
  kind: "last" | "maximum";
  month: string;
  value: number;
  at: number;
};

/**
 * Stores a report unless a newer one of its source, or for a maximum a higher one of the month, is stored, or there is no account. One
 * statement; ties are broken by the other column, so that the result doesn't depend on the order of arrival.
 */
export function changeUsage(db: Database, { account, source, meter, kind, month, value, at }: Report) {
  const counts = kind === "last" ? sql`reported_at, value` : sql`value, reported_at`;
  const arrived =
    kind === "last" ? sql`excluded.reported_at, excluded.value` : sql`excluded.value, excluded.reported_at`;
  return statement(
    db,
    sql`
    insert into ${usageValues} (account_id, meter, part, value, reported_at)
    select owner.id, ${meter}, ${kind === "last" ? source : month}, ${value}, ${at}
    from (select ${account} as id) owner where owner.id is not null
    on conflict (account_id, meter, part) do update set value = excluded.value, reported_at = excluded.reported_at
      where (${arrived}) > (${counts})`,
  );
}
