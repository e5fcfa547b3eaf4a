import { formatCalendarDay } from "#app/core/time/calendar.ts";
import { data, href } from "react-router";
import { noOrder, readId } from "#app/core/id.ts";
import { isDisputeOpen } from "#app/core/stripe/states.ts";
import { formatMoney, sumMinor } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import { appContext } from "#app/http/request/contexts.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { planName, whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { linesOrPlan } from "#app/modules/billing/history/shown-lines.rules.ts";
import { type OrderLine, showOrder } from "#app/modules/billing/history/reads/show-order.server.ts";
import { chargeResult, explain, isCoveredByCredit } from "#app/modules/billing/orders/amount-breakdown.rules.ts";
import { type Order, orderNumber } from "#app/modules/billing/orders/rules.ts";
import { isOpen, isRefundOwed } from "#app/modules/billing/orders/states.rules.ts";
import { isDeclaredByOwner, isUnanswered } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { readFriendship } from "#app/modules/referrals/reads/show-discount.server.ts";
import { runningSubscription } from "#app/modules/billing/subscriptions/rules.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import type { Route } from "./+types/route";
import { ordersMessages } from "../messages.ts";
import { OrderStateChip } from "../state.tsx";
import { OrderDiscountNotice } from "./discount.tsx";
import { duePayment } from "../../pay-due.tsx";
import { sayDiscount } from "./say-discount.ts";
import { type OrderDetailTexts, orderDetailMessages, explanationMessages } from "./messages.ts";
import type { OrderPageData } from "./page-data.ts";
import {
  DocumentCorrections,
  DocumentLines,
  DocumentParties,
  DocumentSums,
  methodFacts,
  NoTaxNote,
  OrderLines,
  OrderSums,
  readerOfDocument,
  OrderDocuments,
} from "./parts.tsx";
import { OrderHistory } from "./history.tsx";
import { sayHistory } from "./say-history.ts";
import { sayUnpaid } from "./say-unpaid.ts";
import { sayDuplicate, sayLost, sayLateStart } from "./say-lost.ts";
import { sayRefund, sayDeclared } from "./say-refund.ts";
import { sayMismatch } from "#app/routes/payment/say-mismatch.ts";
import { OrderUnpaid } from "./unpaid.tsx";
import { OrderWithdrawal } from "./withdrawal.tsx";

export const meta: Route.MetaFunction = ({ loaderData: page, matches }) => [
  { title: pageTitle(page ? titleOf(page, orderDetailMessages.en) : ordersMessages.en.title, matches) },
];

export async function loader({ context, params }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { accountId, viewer } = signedIn(context);
  const orderId = readId("ord", params.order) ?? noOrder;
  const [detail, { account, due }] = await Promise.all([showOrder(app, accountId, orderId), viewer]);
  // A missing order and another customer's look the same.
  if (!detail) throw data(null, { status: 404 });
  const { historyEvents, friendship, subscriptions, ...shown } = detail;
  const running = runningSubscription(subscriptions);
  const { order, withdrawal } = shown;
  const name = planName(app.product, order.planId);
  const isWithdrawn = withdrawal.declared !== null && isDeclaredByOwner(withdrawal.declared);
  const discount = readFriendship(app.product, order, friendship);
  const day = (at: number | null | undefined) => (at == null ? null : formatDay(at, account));
  return {
    account,
    ...shown,
    declaredText: withdrawal.declared && sayDeclared(withdrawal.declared, order, account, app.product),
    ...sayUnpaid(app.product, account, order, due),
    duePayment:
      order.state === "failed" ? duePayment(order, running, { locale: account.locale, now: app.clock() }) : null,
    duplicateText: sayDuplicate(app, account, order, subscriptions),
    lost: sayLost(app, account, order, subscriptions),
    refundText: withdrawal.offer && sayRefund(withdrawal.offer, order, account.locale),
    mismatchText: sayMismatch(order, { hasPlan: running !== null }),
    history: sayHistory(order, historyEvents, account),
    why: order.kind === "change" ? sayWhy(order, shown.lines, name) : null,
    lateStart: sayLateStart(order, shown.lines, account),
    // A withdrawal ends the claim to the discount.
    discount: discount && !isWithdrawn && sayDiscount(discount, account.locale),
    support: app.product.support,
    /** What a dispute means for the plan until the bank decides. */
    pausesPlan: app.product.duringDispute === "pause",
    planName: name,
    what: whatIsSold(app.product, order.planId),
    planPath: segmentPath(app.product, "plan"),
    /** This page says that the plan's payment is overdue, so its frame doesn't. */
    isDueShown: order.kind === "renewal" && (order.state === "failed" || order.state === "needs-action"),
    /** Formatted dates, where there are any. */
    days: {
      nextTry: day(order.nextTryAt),
      withdrawUntil: withdrawal.offer && formatCalendarDay(withdrawal.offer.lastDay, account),
    },
  };
}

function titleOf({ order }: OrderPageData, messages: OrderDetailTexts): string {
  const { title } = messages;
  const number = orderNumber(order);
  if (number) return title.numbered(number);
  if (order.isUnconfirmed) return title.unconfirmed;
  if (order.state === "processing") return title.processing;
  if (order.state === "needs-action") return title.confirm;
  return isOpen(order.state) ? title.open : title.over;
}

export default function OrderPage({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(orderDetailMessages);
  const { what } = useMessages(ordersMessages);
  const { account, order, invoice } = page;
  return (
    <SettingsPage
      title={titleOf(page, messages)}
      lead={what(order.kind, page.planName)}
      back={{ to: href("/settings/orders"), label: messages.back }}
      actions={invoice && <OrderDocuments invoice={invoice} />}
    >
      <OrderMismatch page={page} />
      {page.duplicateText && <Notice kind="info">{page.duplicateText}</Notice>}
      <OrderUnpaid page={page} />
      <OrderDispute order={order} pausesPlan={page.pausesPlan} />
      {page.discount && <OrderDiscountNotice {...page.discount} />}
      <OrderWithdrawal page={page} />
      <Charge page={page} />
      {invoice && (
        <SectionCard title={messages.details}>
          <DocumentParties document={invoice} />
          <OrderMethod invoice={invoice} />
        </SectionCard>
      )}
      <OrderHistory history={page.history} reader={account} />
    </SettingsPage>
  );
}

/** What became of a payment that isn't what was asked for. */
function OrderMismatch({ page: { order, mismatchText } }: { page: OrderPageData }) {
  return mismatchText !== null && <Notice kind={isRefundOwed(order) ? "problem" : "info"}>{mismatchText}</Notice>;
}

function OrderDispute({ order: { dispute }, pausesPlan }: Pick<OrderPageData, "order" | "pausesPlan">) {
  const { disputed: messages } = useMessages(orderDetailMessages);
  if (!isDisputeOpen(dispute)) return null;
  return (
    <Notice kind="info" title={messages.title}>
      {pausesPlan ? messages.textPaused : messages.text}
    </Notice>
  );
}

function Charge({ page }: { page: OrderPageData }) {
  const messages = useMessages(orderDetailMessages);
  const { order } = page;
  return (
    <SectionCard
      title={
        <span className="title-and-status">
          <span suppressHydrationWarning>{headlineOf(page, messages)}</span>
          {/* Otherwise the notice above says it. */}
          {!page.isDueShown && <OrderStateChip order={{ ...order, ...marksOf(page) }} />}
        </span>
      }
    >
      {chargeResult(order) !== "never" && (
        <>
          {page.invoice ? <Invoiced page={page} invoice={page.invoice} /> : <Asked page={page} />}
          {page.lateStart && <p>{page.lateStart}</p>}
          <Why why={page.why} />
        </>
      )}
    </SectionCard>
  );
}

function marksOf({ returns, withdrawal: { declared } }: OrderPageData) {
  const isWithdrawn = declared !== null && isDeclaredByOwner(declared) && isUnanswered(declared);
  return { lostMinor: sumMinor(returns), isWithdrawn };
}

/** What the invoice says, and what went back since. */
function Invoiced({ page, invoice }: { page: OrderPageData; invoice: NonNullable<OrderPageData["invoice"]> }) {
  const reader = readerOfDocument(page.account, invoice);
  return (
    <>
      <DocumentLines document={invoice} reader={reader} />
      <DocumentSums document={invoice} reader={reader} />
      <DocumentCorrections invoice={invoice} creditNotes={page.creditNotes} reader={reader} />
      <NoTaxNote document={invoice} />
    </>
  );
}

function Asked({ page: { account, order, lines, what } }: { page: OrderPageData }) {
  const messages = useMessages(orderDetailMessages);
  const planLine = messages.planLine(what, order.kind, order.interval);
  return (
    <>
      <OrderLines order={order} lines={linesOrPlan(order, lines, planLine)} reader={account} />
      <OrderSums order={order} lines={lines} reader={account} />
    </>
  );
}

function headlineOf({ account, order, invoice, isDueShown }: OrderPageData, messages: OrderDetailTexts): string {
  const result = chargeResult(order);
  const reader = invoice ? readerOfDocument(account, invoice) : account;
  const day = formatDay(order.paidAt ?? order.createdAt, reader);
  const amount = formatMoney(order, account.locale);
  if (result === "open" && isDueShown) return messages.due(amount, day);
  if (result === "open" && order.state === "processing") return messages.processing(amount);
  if (result === "covered" && isCoveredByCredit(order)) {
    const { currency, creditMinor } = order;
    return messages.paidWithCredit(formatMoney({ amountMinor: creditMinor, currency }, account.locale), day);
  }
  return messages.headline[result](amount, day);
}

function OrderMethod({ invoice }: { invoice: NonNullable<OrderPageData["invoice"]> }) {
  const facts = methodFacts(invoice, useMessages(orderDetailMessages));
  return facts.length > 0 && <KeyValues items={facts} />;
}

/** One sentence for each thing that affected a change's amount. Other amounts are a plan's price, less what the sums list. */
function sayWhy(order: Order, lines: OrderLine[], plan: string): string {
  const { because } = explanationMessages.en;
  return explain(order, lines)
    .map((each) => because(each, plan, order.interval))
    .join(" ");
}

function Why({ why }: Pick<OrderPageData, "why">) {
  const messages = useMessages(orderDetailMessages);
  if (why === null) return null;
  return (
    <>
      <h3>{messages.why}</h3>
      <p>{why}</p>
    </>
  );
}
