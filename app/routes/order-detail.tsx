import { Link } from "react-router";
import type { Account } from "#app/domain/accounts/rules.ts";
import type { OrderDetail } from "#app/domain/orders/browse-orders.server.ts";
import type { OrderDiscount } from "#app/domain/orders/order-discount.rules.ts";
import { explain } from "#app/domain/orders/reckoning.rules.ts";
import { type Order, orderNumber, type Seller } from "#app/domain/orders/rules.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { KeyValues } from "#app/ui/key-values.tsx";
import { useWords } from "#app/ui/language.ts";
import { Money } from "#app/ui/money.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { orderDetailWords } from "./order-detail.words.ts";
import { OrderDiscountNotice } from "./order-discount.tsx";
import { OrderLines, OrderParties, OrderSums } from "./order-parts.tsx";
import { OrderStateChip } from "./order-state.tsx";
import { OrderTimeline } from "./order-timeline.tsx";
import { OrderUnpaid } from "./order-unpaid.tsx";
import { OrderWithdrawal } from "./order-withdrawal.tsx";
import { ordersWords } from "./orders.words.ts";

export type DetailProps = {
  account: Account;
  detail: OrderDetail;
  /** A friend's discount that isn't paid. */
  discount: OrderDiscount | null;
  seller: Seller;
  planName: string;
  planPath: string;
  /** Days as their reader writes them, where there are such. */
  days: { nextTry: string | null; withdrawUntil: string | null };
  /** Back to the list as it stood. */
  backPath: string;
};

/** An order with what it is made of, why it is so much, what can be done about it, who paid whom, and what happened when. */
export function OrderDetailCard(page: DetailProps) {
  const words = useWords(orderDetailWords);
  const { what } = useWords(ordersWords);
  const { account, detail } = page;
  const { order, lines } = detail;
  return (
    <SectionCard
      id="order"
      title={words.title(orderNumber(order))}
      footer={
        <Link to={page.backPath} className="no-print">
          {words.back}
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
      <h3>{words.why}</h3>
      <Why {...page} />
      <OrderPapers order={order} />
      <OrderWithdrawal {...page} />
      {order.paidAt !== null && <OrderParties order={order} account={account} seller={page.seller} />}
      <h3>{words.timeline}</h3>
      <OrderTimeline order={order} told={detail.told} reader={account} />
    </SectionCard>
  );
}

function Refunded({ order, account }: { order: Order; account: Account }) {
  const words = useWords(orderDetailWords);
  const { currency, refundedMinor, friendDiscountMinor } = order;
  const parts = [
    { label: words.friendRefunded, amountMinor: -friendDiscountMinor },
    { label: words.refunded, amountMinor: friendDiscountMinor - refundedMinor },
  ].filter(({ amountMinor }) => amountMinor !== 0);
  const items = parts.map(({ label, amountMinor }) => {
    return { label, value: <Money value={{ amountMinor, currency }} locale={account.locale} /> };
  });
  return <KeyValues sums items={items} />;
}

/** Sentences, each for one thing that made the amount what it is. */
function Why({ detail, planName }: DetailProps) {
  const words = useWords(orderDetailWords);
  const { order, lines } = detail;
  const because = explain(order, lines).map((why) => words.because(why, planName, order.interval));
  return <p>{because.join(" ")}</p>;
}

/** What there is to print and to keep. */
function OrderPapers({ order }: { order: Order }) {
  const words = useWords(orderDetailWords);
  if (order.paidAt === null) return null;
  return (
    <div className="row no-print">
      <LinkButton to={`/settings/orders/receipt?order=${order.id}`}>{words.print}</LinkButton>
      {order.invoiceId && <a href={`/settings/orders/invoice?order=${order.id}`}>{words.invoice}</a>}
    </div>
  );
}
