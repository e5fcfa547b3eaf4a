import { formatCalendarDay } from "#app/core/time/calendar.ts";
import type { App } from "#app/app.ts";
import type { CancellationId } from "#app/core/id.ts";
import { formatExactly } from "#app/core/time/time.ts";
import { sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { readMeantOrder, spellMeantOrder } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import type { CancellationKind } from "./cancellations.rules.ts";

type Declared = {
  id: CancellationId;
  kind: CancellationKind;
  orderTyped: string;
  endsOn: string | null;
  address: string;
  declaredAt: number;
};

/**
 * The confirmation of a declaration. It depends on nothing but what was declared: in the seller's time zone, since an account's would say
 * that there is one. Of what was typed it repeats the order's number and the day alone, in our own spelling: everything else would let anyone
 * send a text of theirs to anyone in the product's name. The page shows the whole declaration, and offers it as a file.
 */
export function sealConfirmation(
  app: Pick<App, "pepper" | "random" | "clock" | "product" | "origin">,
  { id, kind, orderTyped, endsOn, address, declaredAt }: Declared,
) {
  const meant = readMeantOrder(orderTyped);
  const content = {
    template: "cancellation-received",
    declared: formatExactly(declaredAt, app.product),
    kind,
    order: meant && spellMeantOrder(meant),
    endsOn: formatWantedDay(endsOn, app.product),
  } as const;
  return sealEmail(app, address, content, id);
}

export function formatWantedDay(endsOn: string | null, { locale }: { locale: string }): string | null {
  if (endsOn === null) return null;
  const [year = 0, month = 0, day = 0] = endsOn.split("-").map(Number);
  return formatCalendarDay({ year, month, day }, { locale });
}
