import type { Account } from "#app/modules/accounts/rules.ts";
import type { OrderLine } from "#app/modules/order-history/reads/browse-orders.server.ts";
import { stepsToCharge } from "#app/modules/plan-changes/amount-breakdown.rules.ts";
import type { Order, Seller, Taxes } from "#app/modules/orders/rules.ts";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Money } from "#app/ui/components/data/money.tsx";
import { orderDetailMessages } from "./detail.messages.ts";
import { nameFormat, numberFormat } from "#app/core/text/formats.ts";

/** Parts shared by an order's page and its receipt. */
type Reader = Pick<Account, "locale" | "timeZone">;
type ChargeProps = { order: Order; lines: OrderLine[]; reader: Reader };

/** Each line with its period; the unused time of a replaced plan is a negative line. */
export function OrderLines({ order, lines, reader }: ChargeProps) {
  const messages = useMessages(orderDetailMessages);
  if (lines.length === 0) return null;
  const day = (at: number) => <Moment at={at} locale={reader.locale} timeZone={reader.timeZone} />;
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
              {line.description}
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

/** From the lines to the amount charged. Prices include tax, so net and tax are listed before any credit is deducted. */
export function OrderSums({ order, lines, reader }: ChargeProps) {
  const messages = useMessages(orderDetailMessages);
  const amount = (amountMinor: number) => (
    <Money value={{ amountMinor, currency: order.currency }} locale={reader.locale} />
  );
  const steps = stepsToCharge(order, lines).map((step) => ({
    isDiscount: step.what === "discount",
    label: messages.steps[step.what],
    value: amount(step.amountMinor),
  }));
  const taxes = taxRows(messages, order, reader.locale).map(({ label, amountMinor }) => ({
    label,
    value: amount(amountMinor),
  }));
  const charged = order.paidAt === null ? messages.asked : messages.charged;
  return (
    <KeyValues
      sums
      items={[
        ...steps.filter(({ isDiscount }) => isDiscount),
        ...taxes,
        ...steps.filter(({ isDiscount }) => !isDiscount),
        { label: charged, value: <strong>{amount(order.amountMinor)}</strong> },
      ]}
    />
  );
}

/** Before payment, and for orders older than the stored tax rates, only the total tax is known. */
function taxRows(messages: typeof orderDetailMessages.en, { taxes, taxMinor }: Order, locale: string) {
  if (!taxes) return taxMinor === 0 ? [] : [{ label: messages.tax, amountMinor: taxMinor }];
  const labelOf = ({ name, percent, isReverseCharge }: Taxes["parts"][number]) =>
    isReverseCharge
      ? messages.reverseCharge
      : messages.taxAt(name, percent === null ? null : inPercent(percent, locale));
  return [
    { label: messages.net, amountMinor: taxes.netMinor },
    ...taxes.parts.map((part) => ({ label: labelOf(part), amountMinor: part.amountMinor })),
  ];
}

function inPercent(percent: number, locale: string): string {
  return numberFormat(locale, { style: "percent", maximumFractionDigits: 4 }).format(percent / 100);
}

type PartiesProps = {
  order: Order;
  account: Pick<Account, "name" | "email" | "locale">;
  seller: Seller;
};

/** The customer's billing details as of the order, the seller, and the payment method. */
export function OrderParties({ order, account, seller }: PartiesProps) {
  const messages = useMessages(orderDetailMessages);
  const { billedTo } = order;
  const country = billedTo?.country ? [nameCountry(billedTo.country, account.locale)] : [];
  const buyer = [billedTo?.name ?? account.name ?? account.email, ...(billedTo?.address ?? []), ...country];
  const vatIds = (billedTo?.vatIds ?? []).map(messages.vatId);
  const sellerVatId = seller.vatId ? [messages.vatId(seller.vatId)] : [];
  const paidBy = billedTo?.paidBy;
  const paidWith = paidBy
    ? messages.payingWith(paidBy.method, paidBy.last4)
    : order.amountMinor === 0 && messages.noMoney;
  return (
    <KeyValues
      items={[
        { label: messages.billedTo, value: <Address lines={[...buyer, ...vatIds]} /> },
        { label: messages.seller, value: <Address lines={[seller.name, ...seller.address, ...sellerVatId]} /> },
        ...(paidWith ? [{ label: messages.paidBy, value: paidWith }] : []),
      ]}
    />
  );
}

/** Browsers and the Worker may name a country differently: "Turkey", "Türkiye". */
function Address({ lines }: { lines: readonly string[] }) {
  return lines.map((line, index) => (
    <div key={index} suppressHydrationWarning>
      {line}
    </div>
  ));
}

function nameCountry(code: string, locale: string): string {
  return nameFormat(locale).of(code) ?? code;
}
