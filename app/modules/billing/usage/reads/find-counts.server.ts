import type { AccountId } from "#app/core/id.ts";
import type { App, CountStatement, Hooks } from "#app/app.ts";

import { hasLimit } from "#app/modules/catalogue/rules.ts";
import type { Count } from "../rules.ts";

type Counting = Pick<App, "product" | "hooks">;

/** The statements that count what plans limit by number, for the batch that runs them; `readCounts` reads their rows. */
export function countReads(app: Counting & Pick<App, "db">, accountId: AccountId): CountStatement[] {
  return countedOf(app).map(({ count }) => count(app.db, accountId));
}

export function readCounts(app: Counting, rows: readonly Awaited<CountStatement>[]): Count[] {
  return countedOf(app).map(({ limit }, index) => {
    const { used = 0, reducedAt = null } = rows[index]?.[0] ?? {};
    return { name: limit, used, reducedAt };
  });
}

function countedOf({ product, hooks }: Counting): NonNullable<Hooks["counted"]>[] {
  return hooks.flatMap(({ counted }) => (counted && hasLimit(product, counted.limit) ? [counted] : []));
}
