import { use } from "react";
import { localeWithin } from "#app/core/text/formats.ts";
import type { Reader } from "#app/core/time/time.ts";
import { linesOrPlan } from "#app/modules/order-history/shown-lines.rules.ts";
import { type Order, orderNumber } from "#app/modules/orders/rules.ts";
import { Logo } from "#app/product/logo.tsx";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Money } from "#app/ui/components/data/money.tsx";
import { LanguageContext, useMessages } from "#app/ui/hooks/use-messages.ts";
import { orderDetailMessages } from "../order/messages.ts";
import { methodFacts, NoTaxNote, OrderLines, OrderParties, OrderSums } from "../order/parts.tsx";
import { orderStateMessages } from "../state.messages.ts";
import { OrderStateChip } from "../state.tsx";
import { orderReceiptMessages } from "./messages.ts";
import type { ReceiptPageData } from "./page-data.ts";

export function ReceiptSheet({ page }: { page: ReceiptPageData }) {
  const messages = useMessages(orderReceiptMessages);
  const { planLine } = useMessages(orderDetailMessages);
  const { order, lines, account, support } = page;
  // Dates are in the page's language, since customers pass receipts on to others.
  const reader = { ...account, locale: localeWithin(use(LanguageContext), account.locale) };
  const shown = linesOrPlan(order, lines, planLine(page.what, order.kind, order.interval));
  return (
    <div className="receipt">
      <div className="receipt-top">
        <span className="receipt-brand">
          <Logo />
          {page.product}
        </span>
        <span className="receipt-title">
          {messages.heading} <NotSimplyPaid order={order} />
        </span>
      </div>
      <ReceiptFacts order={order} reader={reader} />
      <OrderParties order={order} account={account} seller={page.seller} />
      <section>
        <OrderLines order={order} lines={shown} reader={reader} />
        <OrderSums order={order} lines={lines} reader={reader} total={messages.paid} />
        <NoTaxNote order={order} />
      </section>
      {page.refunds.length + page.returns.length > 0 && <Refunds page={page} reader={reader} />}
      <p className="receipt-footer">
        {messages.questions} <a href={`mailto:${support}`}>{support}</a>
      </p>
    </div>
  );
}

/** The state of an order that was refunded or disputed. */
function NotSimplyPaid({ order }: { order: Order }) {
  const { disputes } = useMessages(orderStateMessages);
  return (order.state !== "paid" || disputes[order.dispute] !== null) && <OrderStateChip order={order} />;
}

function ReceiptFacts({ order, reader }: { order: Order; reader: Reader }) {
  const messages = useMessages(orderReceiptMessages);
  const detail = useMessages(orderDetailMessages);
  const facts = [
    { label: messages.number, value: orderNumber(order) },
    {
      label: order.amountMinor === 0 ? messages.date : messages.paidOn,
      value: <Moment at={order.paidAt ?? order.createdAt} timeZone={reader.timeZone} locale={reader.locale} />,
    },
    ...methodFacts(order, detail),
  ];
  return (
    <dl className="receipt-facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What was returned, by a refund or by the customer's bank, each with its date, and what is left of the payment. */
function Refunds({ page, reader }: { page: ReceiptPageData; reader: Reader }) {
  const messages = useMessages(orderReceiptMessages);
  const amount = (amountMinor: number) => (
    <Money value={{ amountMinor, currency: page.order.currency }} locale={reader.locale} />
  );
  const backs = [
    ...page.refunds.map(({ isFriendDiscount, ...refund }) => ({
      ...refund,
      what: isFriendDiscount ? messages.friendRefunded : messages.refunded,
    })),
    ...page.returns.map((returned) => ({ ...returned, what: messages.returned })),
  ];
  const isReturned = page.returns.length > 0;
  return (
    <section>
      <h2>{isReturned ? messages.returns : messages.refunds}</h2>
      <dl className="key-values key-values-sums">
        {backs.map(({ what, at, amountMinor }, index) => (
          <div key={index}>
            <dt>
              {what} <Moment at={at} timeZone={reader.timeZone} locale={reader.locale} />
            </dt>
            <dd>{amount(-amountMinor)}</dd>
          </div>
        ))}
        <div>
          <dt>{isReturned ? messages.retainedAfterReturn : messages.retained}</dt>
          <dd>{amount(page.retainedMinor)}</dd>
        </div>
      </dl>
    </section>
  );
}
