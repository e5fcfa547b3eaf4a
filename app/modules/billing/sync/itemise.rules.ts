/**
 * Itemises an issued document for an email. Invariant: the same lines and sums as on its page, in the language of the email and with the
 * seller's days. Called where such an email is queued.
 */
import { chargedAt } from "#app/core/stripe/charge-time.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { localeWithin } from "#app/core/text/formats.ts";
import { formatPercent } from "#app/core/text/quantity.ts";
import { formatDay, formatShortDay, type Reader } from "#app/core/time/time.ts";
import {
  type DocumentKind,
  documentNumber,
  documentRows,
  type IssuedDocument,
  type NewDocument,
} from "#app/modules/billing/documents/rules.ts";
import type { ReceiptFacts, ReceiptSum } from "#app/modules/email/receipt-facts.rules.ts";
import { nameQuantity } from "#app/modules/billing/orders/line-name.rules.ts";
import type { SumRow } from "#app/modules/billing/orders/amount-breakdown.rules.ts";
import type { BilledTo } from "#app/modules/billing/orders/rules.ts";

/** The account with a locale of the language that emails are written in, for a receipt's amounts and days. */
export function readerOfEmail<Account extends { locale: string }>(account: Account): Account {
  return { ...account, locale: localeWithin("en", account.locale) };
}

/** A document with its number, or one that is issued in the batch that queues the email and gets its number there. */
export type EmailedDocument = NewDocument & { kind: DocumentKind; buyer: BilledTo } & Partial<
    Pick<IssuedDocument, "numberYear" | "numberInYear">
  > & { corrects?: string | null };

export function itemise(account: Reader, document: EmailedDocument): ReceiptFacts {
  const { kind, buyer, seller, currency, timeZone, exemption, issuedAt, moneyMinor } = document;
  const { numberYear, numberInYear } = document;
  const { locale } = account;
  const reader = { locale, timeZone };
  const amount = (amountMinor: number) => formatMoney({ amountMinor, currency }, locale);
  return {
    kind,
    number:
      numberYear === undefined || numberInYear === undefined
        ? null
        : documentNumber({ kind, numberYear, numberInYear }),
    corrects: document.corrects ?? null,
    paid: formatDay(issuedAt, reader),
    // What the plan does next is no part of the document, so this day is the reader's, as on every page.
    renewsOn: document.periodEndsAt === null ? null : formatDay(chargedAt(document.periodEndsAt), account),
    lines: document.lines.map(({ label, quantity, totalMinor, periodStartsAt: from, periodEndsAt: until }) => ({
      what: nameQuantity(label, quantity),
      period:
        from === null || until === null
          ? null
          : { from: formatShortDay(from, reader), until: formatShortDay(until, reader) },
      amount: amount(totalMinor),
    })),
    sums: documentRows(document).map((row) => sumOf(row, amount(row.amountMinor), locale)),
    total: amount(moneyMinor),
    noTax: document.taxes.length > 0 ? null : { exemption },
    method: methodOf(document),
    seller,
    buyer: { name: buyer.name ?? "", address: buyer.address, country: buyer.country, vatIds: buyer.vatIds },
  };
}

function sumOf(row: SumRow, amount: string, locale: string): ReceiptSum {
  if (row.what !== "tax") return { what: row.what, amount };
  const percent = row.percent === null ? null : formatPercent(row.percent, locale);
  return { what: "tax", name: row.name, percent, amount };
}

function methodOf({ buyer, moneyMinor }: Pick<EmailedDocument, "buyer" | "moneyMinor">): ReceiptFacts["method"] {
  const { paidBy } = buyer;
  if (paidBy) return { name: paidBy.method, last4: paidBy.last4 };
  return moneyMinor === 0 ? "none" : null;
}
