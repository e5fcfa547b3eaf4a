import { use } from "react";
import type { Account } from "#app/modules/accounts/rules.ts";
import { retainedOf } from "#app/modules/order-history/history.rules.ts";
import type { OrderLine } from "#app/modules/order-history/reads/show-order.server.ts";
import { hasNoTax, isCoveredByCredit, sumRows, type SumRow } from "#app/modules/orders/amount-breakdown.rules.ts";
import { nameLine } from "#app/modules/orders/line-name.rules.ts";
import type { Order, Seller } from "#app/modules/orders/rules.ts";
import { sumMinor } from "#app/core/money/money.ts";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { LanguageContext, useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Money } from "#app/ui/components/data/money.tsx";
import { type OrderDetailTexts, orderDetailMessages } from "./messages.ts";
import { nameFormat } from "#app/core/text/formats.ts";
import { namePaymentMethod } from "#app/core/text/payment-method.ts";
import { formatPercent } from "#app/core/text/quantity.ts";

/** Parts shared by an order's page and its receipt. */
type Reader = Pick<Account, "locale" | "timeZone">;
type ChargeProps = { order: Order; lines: OrderLine[]; reader: Reader };

/** Each line with its period; the unused time of a replaced plan is a negative line. */
export function OrderLines({ order, lines, reader }: ChargeProps) {
  const messages = useMessages(orderDetailMessages);
  if (lines.length === 0) return null;
  const day = (at: number) => <Moment at={at} locale={reader.locale} timeZone={reader.timeZone} style="short" />;
  return (
    <DataTable
      caption={messages.line}
      columns={[
        { key: "line", label: messages.line },
        { key: "amount", label: messages.amount, align: "end" },
      ]}
      rows={lines.map((line) => ({
        id: String(line.position),
        cells: {
          line: (
            <>
              {nameLine(line)}
              {line.periodStartsAt !== null && line.periodEndsAt !== null && (
                <div className="quiet">
                  {day(line.periodStartsAt)} {messages.to} {day(line.periodEndsAt)}
                </div>
              )}
            </>
          ),
          amount: <Money value={{ amountMinor: line.amountMinor, currency: order.currency }} locale={reader.locale} />,
        },
      }))}
    />
  );
}

/** From the lines to the amount charged; nothing for an unpaid order whose only line is that amount. */
export function OrderSums({ order, lines, reader, total }: ChargeProps & { total: string }) {
  const messages = useMessages(orderDetailMessages);
  const amount = (amountMinor: number) => (
    <Money value={{ amountMinor, currency: order.currency }} locale={reader.locale} />
  );
  const rows = sumRows(order, lines).map((row) => ({
    label: labelOf(row, messages, reader.locale),
    value: amount(row.amountMinor),
  }));
  if (rows.length === 0 && order.paidAt === null) return null;
  return <KeyValues sums items={[...rows, { label: total, value: <strong>{amount(order.amountMinor)}</strong> }]} />;
}

export function NoTaxNote({ order }: { order: Order }) {
  const messages = useMessages(orderDetailMessages);
  return order.paidAt !== null && hasNoTax(order) && <p className="quiet">{messages.noTax}</p>;
}

function labelOf(row: SumRow, messages: OrderDetailTexts, locale: string): string {
  switch (row.what) {
    case "net":
      return messages.net;
    case "tax-total":
      return messages.tax;
    case "reverse-charge":
      return messages.reverseCharge;
    case "tax":
      return messages.taxAt(row.name, row.percent === null ? null : formatPercent(row.percent, locale));
    default:
      return messages.steps[row.what];
  }
}

type RefundsProps = { order: Order; returns: { amountMinor: number }[]; reader: Reader };

/** What was refunded or returned by the customer's bank; the part that was a friend's discount is a separate row. */
export function OrderRefunds({ order, returns, reader }: RefundsProps) {
  const messages = useMessages(orderDetailMessages);
  const { currency, refundedMinor, friendDiscountMinor } = order;
  const parts = [
    { label: messages.friendRefunded, amountMinor: -friendDiscountMinor },
    { label: messages.refunded, amountMinor: friendDiscountMinor - refundedMinor },
    { label: messages.returned, amountMinor: -sumMinor(returns) },
  ].filter(({ amountMinor }) => amountMinor !== 0);
  if (parts.length === 0) return null;
  const money = (amountMinor: number) => <Money value={{ amountMinor, currency }} locale={reader.locale} />;
  const items = parts.map(({ label, amountMinor }) => ({ label, value: money(amountMinor) }));
  const label = returns.length > 0 ? messages.retainedAfterReturn : messages.retained;
  const value = <strong>{money(retainedOf(order, returns))}</strong>;
  return <KeyValues sums items={[...items, { label, value }]} />;
}

type PartiesProps = {
  order: Order;
  account: Pick<Account, "name" | "email">;
  seller: Seller;
};

/** The seller and, as of the order, the customer's billing details: side by side where there is room. */
export function OrderParties({ order, account, seller }: PartiesProps) {
  const messages = useMessages(orderDetailMessages);
  // Country names are in the page's language. The account's locale only formats dates.
  const language = use(LanguageContext);
  const { billedTo } = order;
  const country = billedTo?.country ? [nameFormat(language).of(billedTo.country) ?? billedTo.country] : [];
  const buyer = [billedTo?.name ?? account.name ?? account.email, ...(billedTo?.address ?? []), ...country];
  const vatIds = (billedTo?.vatIds ?? []).map(messages.vatId);
  const sellerVatId = seller.vatId ? [messages.vatId(seller.vatId)] : [];
  return (
    <dl className="parties">
      <Party label={messages.seller} lines={[seller.name, ...seller.address, ...sellerVatId]} />
      <Party label={messages.billedTo} lines={[...buyer, ...vatIds]} />
    </dl>
  );
}

/** Hydration may differ: browsers and the Worker may name a country differently, such as "Turkey" and "Türkiye". */
function Party({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {lines.map((line, index) => (
          <div key={index} suppressHydrationWarning>
            {line}
          </div>
        ))}
      </dd>
    </div>
  );
}

/** How the order was paid. Empty for an old order that doesn't say. */
export function methodFacts(order: Order, messages: OrderDetailTexts): { label: string; value: string }[] {
  const paidBy = order.billedTo?.paidBy;
  if (paidBy) return [{ label: messages.paidBy, value: namePaymentMethod(paidBy.method, paidBy.last4) }];
  if (order.amountMinor !== 0) return [];
  return [{ label: messages.paidBy, value: isCoveredByCredit(order) ? messages.credit : messages.noMoney }];
}
