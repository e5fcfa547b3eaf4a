import { Link, href } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { explain } from "#app/modules/plan-changes/amount-breakdown.rules.ts";
import { type Order, orderNumber } from "#app/modules/orders/rules.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Money } from "#app/ui/components/data/money.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { orderDetailMessages } from "./detail.messages.ts";
import { OrderDiscountNotice } from "./discount.tsx";
import { OrderLines, OrderParties, OrderSums } from "./parts.tsx";
import { OrderStateChip } from "./state.tsx";
import { OrderTimeline } from "./timeline.tsx";
import { OrderUnpaid } from "./unpaid.tsx";
import { OrderWithdrawal } from "./withdrawal.tsx";
import { ordersMessages } from "./messages.ts";
import type { DetailProps } from "./page-data.ts";

/** An order with its lines, the reasons for its amount, the available actions, payer and payee, and its history. */
export function OrderDetailCard(page: DetailProps) {
  const messages = useMessages(orderDetailMessages);
  const { what } = useMessages(ordersMessages);
  const { account, detail } = page;
  const { order, lines } = detail;
  return (
    <SectionCard
      id="order"
      title={messages.title(orderNumber(order), order.isUnconfirmed)}
      footer={
        <Link to={page.backPath} className="no-print">
          {messages.back}
        </Link>
      }
    >
      <div className="row">
        <OrderStateChip order={order} />
        <span className="quiet">{what(order.kind, page.planName)}</span>
      </div>
      <OrderUnpaid {...page} />
      <OrderLines order={order} lines={lines} reader={account} />
      <OrderSums order={order} lines={lines} reader={account} />
      {order.refundedMinor > 0 && <Refunded order={order} account={account} />}
      {page.discount && <OrderDiscountNotice discount={page.discount} locale={account.locale} />}
      <h3>{messages.why}</h3>
      <Why {...page} />
      <OrderPapers order={order} />
      <OrderWithdrawal {...page} />
      {order.paidAt !== null && <OrderParties order={order} account={account} seller={page.seller} />}
      <h3>{messages.timeline}</h3>
      <OrderTimeline order={order} timeline={detail.timeline} reader={account} />
    </SectionCard>
  );
}

function Refunded({ order, account }: { order: Order; account: Account }) {
  const messages = useMessages(orderDetailMessages);
  const { currency, refundedMinor, friendDiscountMinor } = order;
  const parts = [
    { label: messages.friendRefunded, amountMinor: -friendDiscountMinor },
    { label: messages.refunded, amountMinor: friendDiscountMinor - refundedMinor },
  ].filter(({ amountMinor }) => amountMinor !== 0);
  const items = parts.map(({ label, amountMinor }) => {
    return { label, value: <Money value={{ amountMinor, currency }} locale={account.locale} /> };
  });
  return <KeyValues sums items={items} />;
}

/** One sentence for each thing that affected the amount. */
function Why({ detail, planName }: DetailProps) {
  const messages = useMessages(orderDetailMessages);
  const { order, lines } = detail;
  const because = explain(order, lines).map((why) => messages.because(why, planName, order.interval));
  return <p>{because.join(" ")}</p>;
}

/** Documents to print or save. */
function OrderPapers({ order }: { order: Order }) {
  const messages = useMessages(orderDetailMessages);
  if (order.paidAt === null) return null;
  return (
    <div className="row no-print">
      <LinkButton to={`${href("/settings/orders/receipt")}?order=${order.id}`}>{messages.print}</LinkButton>
      {order.invoiceId && <a href={`${href("/settings/orders/invoice")}?order=${order.id}`}>{messages.invoice}</a>}
    </div>
  );
}
