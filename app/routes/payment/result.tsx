import { href } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import type { PaymentStatus } from "#app/modules/billing/orders/states.rules.ts";
import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { StatusIllustration } from "#app/ui/components/feedback/status-illustration.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { usePolling } from "#app/ui/hooks/use-polling.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { OrderDiscountNotice } from "#app/routes/settings/orders/order/discount.tsx";
import { headPayment, paymentMessages } from "./messages.ts";
import { NextActions } from "./next-actions.tsx";
import type { PaymentFacts } from "./page-data.ts";

/** A pending payment's page first refreshes after this long. */
const lookAgainMs = 5000;
/** Maximum refresh interval. */
const lookAgainAtMostMs = 60_000;

const illustrations = {
  success: "open",
  processing: "ajar",
  action: "ajar",
  failed: "shut",
  cancelled: "shut",
  expired: "shut",
} as const satisfies Record<PaymentStatus, string>;

export function PaymentResult({ payment }: { payment: PaymentFacts }) {
  const messages = useMessages(paymentMessages);
  const waitMessages = useMessages(refusalMessages);
  const { order, status, page } = payment;
  const { locale } = payment.account;
  const back = formatMoney({ amountMinor: order.refundedMinor, currency: order.currency }, locale);
  const waits = page === "processing" || page === "unconfirmed" || (page === "action" && order.kind !== "new-plan");
  return (
    <FormPage
      picture={
        <StatusIllustration
          state={page === "unconfirmed" ? "ajar" : page === "mismatch" ? "shut" : illustrations[status]}
        />
      }
      {...headPayment(messages, payment)}
    >
      {waits && <LookAgain payment={payment} />}
      {!payment.isCertain && page !== "unconfirmed" && (
        <Notice kind="attention">{payment.waitSeconds === null ? messages.unreachable : messages.often}</Notice>
      )}
      {payment.waitSeconds !== null && (
        <p className="quiet">{messages.looksIn(waitMessages.wait(payment.waitSeconds))}</p>
      )}
      {payment.mismatchText !== null && page !== "mismatch" && <Notice kind="info">{payment.mismatchText}</Notice>}
      {order.state === "refunded" && page !== "mismatch" && <Notice kind="info">{messages.refunded.all}</Notice>}
      {order.state === "partially-refunded" && <Notice kind="info">{messages.refunded.part(back)}</Notice>}
      {messages.disputes[order.dispute] && <Notice kind="info">{messages.disputes[order.dispute]}</Notice>}
      <KeyValues items={factsOf(payment, messages)} />
      {payment.discount && <OrderDiscountNotice {...payment.discount} />}
      {page === "mismatch" ? <Undone payment={payment} /> : <NextActions payment={payment} />}
    </FormPage>
  );
}

function factsOf(
  { order, status, page, account, what, renewsAt }: PaymentFacts,
  messages: (typeof paymentMessages)["en"],
) {
  const number = orderNumber(order);
  const isChanged = order.kind === "change" && order.paidAt !== null;
  const isUnpaid = illustrations[status] === "shut";
  return [
    ...(number ? [{ label: messages.number, value: number }] : []),
    {
      label: isUnpaid ? messages.unpaid[order.kind] : messages.amount,
      value: (
        <span className="figures" suppressHydrationWarning>
          {formatMoney(order, account.locale)}
          {isUnpaid && order.kind === "new-plan" && ` ${messages.per[order.interval]}`}
        </span>
      ),
    },
    ...(order.friendDiscountMinor > 0
      ? [
          {
            label: messages.friendRefunded,
            value: (
              <span className="figures" suppressHydrationWarning>
                {formatMoney({ amountMinor: order.friendDiscountMinor, currency: order.currency }, account.locale)}
              </span>
            ),
          },
        ]
      : []),
    ...(isChanged && order.paidAt
      ? [
          { label: messages.plan, value: messages.planText[order.interval](what) },
          { label: messages.since, value: formatDay(order.paidAt, account) },
        ]
      : []),
    ...(page === "success" && renewsAt !== null
      ? [{ label: messages.renews, value: <Moment at={renewsAt} {...account} /> }]
      : []),
  ];
}

/** The payment wasn't what was asked for: a plan can be chosen again, unless an operator has to send the money back first. */
function Undone({ payment }: { payment: PaymentFacts }) {
  const { mismatch, again, success } = useMessages(paymentMessages);
  if (!payment.isOwed) {
    return (
      <>
        {!payment.isAccountClosed && (
          <LinkButton kind="primary" wide to={href("/settings/upgrade")}>
            {again.choose}
          </LinkButton>
        )}
        <LinkButton wide to={href("/settings/orders/:order", { order: payment.order.id })}>
          {success.order}
        </LinkButton>
      </>
    );
  }
  return (
    <p>
      {mismatch.text} <a href={`mailto:${payment.support}`}>{payment.support}</a>
    </p>
  );
}

/**
 * With a script the page revalidates in the background with increasing intervals; without one the browser reloads it at the same
 * intervals. Neither does so before Stripe may be asked again.
 */
function LookAgain({ payment: { order, urlStatus, looks, waitSeconds } }: { payment: PaymentFacts }) {
  usePolling(true, { firstMs: lookAgainMs, atMostMs: lookAgainAtMostMs });
  const seconds = Math.max(Math.min(lookAgainMs * 2 ** looks, lookAgainAtMostMs) / 1000, waitSeconds ?? 0);
  const next = `${href("/payment/:status", { status: urlStatus })}?${new URLSearchParams({ order: order.id, looks: String(looks + 1) })}`;
  return (
    <noscript>
      <meta httpEquiv="refresh" content={`${seconds}; url=${next}`} />
    </noscript>
  );
}
