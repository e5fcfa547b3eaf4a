import { formatDay } from "#app/core/time/time.ts";
import type { Account, Viewer } from "#app/modules/accounts/rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { graceMs } from "#app/modules/billing/subscriptions/rules.ts";
import { settingsMessages } from "./messages.ts";

/** Until when an unpaid renewal can be paid without consequences, or what they are. */
export function sayWhenLocked(
  { lockedMeans }: Pick<ProductConfig, "lockedMeans">,
  account: Account,
  due: Pick<NonNullable<Viewer["due"]>, "since" | "isLocked">,
): string {
  return settingsMessages.en.due.text(due.isLocked, formatDay(due.since + graceMs, account), lockedMeans);
}
