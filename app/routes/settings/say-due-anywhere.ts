import { segmentPath } from "#app/core/page-paths.ts";
import type { Account, Viewer } from "#app/modules/accounts/rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { settingsMessages } from "./messages.ts";
import { dueMessages } from "./plan/texts/due.messages.ts";
import { sayWhenLocked } from "./say-when-locked.ts";

/** The notice of an unpaid renewal on every page that doesn't show the payment itself. */
export function sayDueAnywhere(product: ProductConfig, account: Account, due: NonNullable<Viewer["due"]>) {
  const { due: messages } = settingsMessages.en;
  const whenLocked = sayWhenLocked(product, account, due);
  if (due.toConfirm === null) {
    const link = { text: messages.link, to: segmentPath(product, "plan") };
    return { title: messages.title(due.isLocked), text: whenLocked, link };
  }
  const { confirm, toConfirm } = dueMessages.en;
  const to = paymentPath({ id: due.toConfirm, state: "needs-action", isUnconfirmed: false });
  return {
    title: due.isLocked ? messages.title(true) : messages.titleConfirm,
    text: `${confirm} ${whenLocked}`,
    link: { text: toConfirm, to },
  };
}
