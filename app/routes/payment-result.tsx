import { formatMoney } from "#app/domain/kernel/money.ts";
import { failureClasses } from "#app/domain/orders/judge-order.rules.ts";
import { type Order, orderNumber, type PaymentStatus } from "#app/domain/orders/rules.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Doorway } from "#app/ui/doorway.tsx";
import { KeyValues } from "#app/ui/key-values.tsx";
import { useWords } from "#app/ui/language.ts";
import { Notice } from "#app/ui/notice.tsx";
import { FormPage } from "#app/ui/page-shell.tsx";
import { useLookAgain } from "#app/ui/use-look-again.ts";
import { paymentWords } from "./payment.words.ts";

type Payment = { order: Order; status: PaymentStatus; isCertain: boolean; planName: string; locale: string };

/** How soon the page of a payment in process looks again at first, and how seldom at last: a debit takes days. */
const lookAgainMs = 5000;
const lookAgainAtMostMs = 60_000;

const doors = {
  success: "open",
  processing: "ajar",
  action: "ajar",
  failed: "shut",
  cancelled: "shut",
  expired: "shut",
} as const satisfies Record<PaymentStatus, string>;

export function PaymentResult({ payment, product }: { payment: Payment; product: string }) {
  const words = useWords(paymentWords);
  const { order, status } = payment;
  const page = words.pages[status];
  const amount = formatMoney(order, payment.locale);
  return (
    <FormPage
      picture={<Doorway state={doors[status]} />}
      title={page.title}
      lead={page.lead(`${product} ${payment.planName}`)}
    >
      {status === "processing" && <LookAgain />}
      {!payment.isCertain && <Notice kind="attention">{words.unreachable}</Notice>}
      {order.state.includes("refunded") && <Notice kind="info">{words.refunded}</Notice>}
      <KeyValues
        items={[
          ...(orderNumber(order) ? [{ label: words.number, value: orderNumber(order) }] : []),
          { label: words.amount, value: <span className="figures">{amount}</span> },
        ]}
      />
      <WayOn payment={payment} product={product} />
    </FormPage>
  );
}

/** What a person can do now; failed, cancelled and expired offer the same choice again. */
function WayOn({ payment, product }: { payment: Payment; product: string }) {
  const words = useWords(paymentWords);
  const { order } = payment;
  const again = `/settings/upgrade?plan=${order.planId}&interval=${order.interval}`;
  switch (payment.status) {
    case "success":
      return (
        <>
          <p>{words.success.next(product)}</p>
          <LinkButton kind="primary" wide to="/settings#start">
            {words.success.start(product)}
          </LinkButton>
          <LinkButton wide to={`/settings/orders?order=${order.id}`}>
            {words.success.receipt}
          </LinkButton>
        </>
      );
    case "processing":
      return (
        <>
          <p>{words.processing.text}</p>
          <p className="quiet">{words.processing.refresh}</p>
          <LinkButton wide to="/settings/orders">
            {words.processing.orders}
          </LinkButton>
        </>
      );
    case "action":
      return (
        <>
          <p>{words.action.text}</p>
          <LinkButton kind="primary" wide to={order.checkoutUrl ?? again} reloadDocument>
            {words.action.button}
          </LinkButton>
        </>
      );
    case "failed":
    case "cancelled":
    case "expired":
      return (
        <>
          {payment.status === "failed" && (
            <p>{words.reasons[failureClasses.find((known) => known === order.failure) ?? "other"]}</p>
          )}
          <LinkButton kind="primary" wide to={again}>
            {payment.status === "cancelled" ? words.again.cancelled : words.again.same}
          </LinkButton>
          <LinkButton wide to="/settings/upgrade">
            {words.again.choose}
          </LinkButton>
        </>
      );
  }
}

/** With a script the page asks again quietly, less and less often; without one the browser reloads it. */
function LookAgain() {
  useLookAgain(true, { firstMs: lookAgainMs, atMostMs: lookAgainAtMostMs });
  return (
    <noscript>
      <meta httpEquiv="refresh" content="10" />
    </noscript>
  );
}
