/**
 * Itemises a paid order for the email with its receipt. Invariant: the same lines and sums as on the order's page, in the language of the
 * email. Called where receipts are queued.
 */
import { chargedAt } from "#app/core/stripe/charge-time.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { localeWithin } from "#app/core/text/formats.ts";
import { formatPercent } from "#app/core/text/quantity.ts";
import { formatDay, formatShortDay } from "#app/core/time/time.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import type { ReceiptFacts, ReceiptSum } from "#app/modules/email/receipt-facts.rules.ts";
import { hasNoTax, type SumRow, sumRows } from "#app/modules/orders/amount-breakdown.rules.ts";
import { nameLine } from "#app/modules/orders/line-name.rules.ts";
import { type Order, orderNumber, type Seller } from "#app/modules/orders/rules.ts";

export type ReceiptLine = {
  description: string;
  amountMinor: number;
  periodStartsAt: number | null;
  periodEndsAt: number | null;
};

/** The account with a locale of the language that emails are written in, for a receipt's amounts and days. */
export function readerOfEmail<Reader extends { locale: string }>(account: Reader): Reader {
  return { ...account, locale: localeWithin("en", account.locale) };
}

export function itemise(
  product: { seller: Seller },
  reader: Pick<Account, "name" | "email" | "locale" | "timeZone">,
  order: Order,
  lines: ReceiptLine[],
): ReceiptFacts {
  const { billedTo, currency } = order;
  const amount = (amountMinor: number) => formatMoney({ amountMinor, currency }, reader.locale);
  // The last line is for the period that was paid.
  const renewsAt = lines.at(-1)?.periodEndsAt;
  return {
    number: orderNumber(order),
    paid: formatDay(order.paidAt ?? order.createdAt, reader),
    renewsOn: renewsAt == null ? null : formatDay(chargedAt(renewsAt), reader),
    lines: lines.map(({ description, amountMinor, periodStartsAt: from, periodEndsAt: until }) => ({
      what: nameLine({ description, periodStartsAt: from }),
      period:
        from === null || until === null
          ? null
          : { from: formatShortDay(from, reader), until: formatShortDay(until, reader) },
      amount: amount(amountMinor),
    })),
    sums: sumRows(order, lines).map((row) => sumOf(row, amount(row.amountMinor), reader.locale)),
    hasNoTax: hasNoTax(order),
    method: methodOf(order),
    seller: order.seller ?? product.seller,
    buyer: {
      name: billedTo?.name ?? reader.name ?? reader.email,
      address: billedTo?.address ?? [],
      country: billedTo?.country ?? null,
      vatIds: billedTo?.vatIds ?? [],
    },
  };
}

function sumOf(row: SumRow, amount: string, locale: string): ReceiptSum {
  if (row.what !== "tax") return { what: row.what, amount };
  const percent = row.percent === null ? null : formatPercent(row.percent, locale);
  return { what: "tax", name: row.name, percent, amount };
}

function methodOf({ billedTo, amountMinor }: Pick<Order, "billedTo" | "amountMinor">): ReceiptFacts["method"] {
  const paidBy = billedTo?.paidBy;
  if (paidBy) return { name: paidBy.method, last4: paidBy.last4 };
  return amountMinor === 0 ? "none" : null;
}
