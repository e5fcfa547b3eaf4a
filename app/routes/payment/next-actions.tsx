import { Form, href } from "react-router";
import { reviewPath } from "#app/core/page-paths.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import { failureClassOf } from "#app/modules/billing/orders/states.rules.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { payDueMessages } from "#app/routes/settings/messages.ts";
import { type DuePayment, PayDue } from "#app/routes/settings/pay-due.tsx";
import { paymentMessages, processingMessages, paymentReasonsMessages } from "./messages.ts";
import type { PaymentFacts } from "./page-data.ts";

/** The actions available now, by the payment's purpose and result. */
export function NextActions({ payment }: { payment: PaymentFacts }) {
  if (payment.isAccountClosed) return <ClosedAccount payment={payment} />;
  if (payment.page === "unconfirmed") return <Unconfirmed isLimited={payment.waitSeconds !== null} />;
  switch (payment.status) {
    case "success":
      return <Paid payment={payment} />;
    case "processing":
      return <OnItsWay payment={payment} />;
    case "action":
      return <ConfirmPayment payment={payment} />;
    case "failed":
    case "cancelled":
    case "expired":
      return payment.order.kind === "renewal" ? <RenewalUnpaid payment={payment} /> : <Again payment={payment} />;
  }
}

/** A closed account can't buy or retry anything: the user can restore it or see the receipt. */
function ClosedAccount({ payment: { order } }: { payment: PaymentFacts }) {
  const { closedAccount: messages, success } = useMessages(paymentMessages);
  return (
    <>
      <LinkButton kind="primary" wide to={href("/settings")}>
        {messages.account}
      </LinkButton>
      <LinkButton wide to={href("/settings/orders/:order", { order: order.id })}>
        {order.paidAt === null ? success.order : success.receipt}
      </LinkButton>
    </>
  );
}

/** Stripe didn't respond: the customer can only wait, and this page offers nothing to pay with. */
function Unconfirmed({ isLimited }: { isLimited: boolean }) {
  const { unconfirmed, processing } = useMessages(paymentMessages);
  return (
    <>
      <p>{isLimited ? unconfirmed.often : unconfirmed.text}</p>
      {!isLimited && <p className="quiet">{processing.refresh}</p>}
      <LinkButton wide to={href("/settings/orders")}>
        {processing.orders}
      </LinkButton>
    </>
  );
}

function Paid({ payment: { order, page, product, planPath } }: { payment: PaymentFacts }) {
  const { success: messages } = useMessages(paymentMessages);
  const isStart = order.kind === "new-plan" && page === "success";
  return (
    <>
      <LinkButton kind="primary" wide to={isStart ? `${href("/settings")}#start` : planPath}>
        {isStart ? messages.start(product) : messages.plan}
      </LinkButton>
      <LinkButton wide to={href("/settings/orders/:order", { order: order.id })}>
        {messages.receipt}
      </LinkButton>
    </>
  );
}

function OnItsWay({ payment: { order, planPath, dueText } }: { payment: PaymentFacts }) {
  const { processing: messages, success } = useMessages(paymentMessages);
  const texts = useMessages(processingMessages);
  return (
    <>
      <p>{texts.text}</p>
      {order.kind === "renewal" && !dueText && <p>{texts.asUsual}</p>}
      <p className="quiet">{messages.refresh}</p>
      {order.kind !== "new-plan" && (
        <LinkButton wide to={planPath}>
          {success.plan}
        </LinkButton>
      )}
      <LinkButton wide to={href("/settings/orders")}>
        {messages.orders}
      </LinkButton>
    </>
  );
}

/** The checkout redirects back here. An invoice's page doesn't, so it opens in another tab. */
function ConfirmPayment({ payment: { order, planPath, dueText } }: { payment: PaymentFacts }) {
  const { action: messages, success } = useMessages(paymentMessages);
  if (order.kind === "new-plan" || !order.checkoutUrl) {
    return (
      <>
        <p>{messages.text}</p>
        <LinkButton kind="primary" wide to={order.checkoutUrl ?? reviewPath(order)} reloadDocument>
          {messages.button}
        </LinkButton>
      </>
    );
  }
  return (
    <>
      <p>{messages.invoice}</p>
      {dueText && <p>{dueText}</p>}
      <LinkButton kind="primary" wide to={order.checkoutUrl} newTab>
        {messages.invoiceButton}
      </LinkButton>
      <LinkButton wide to={planPath}>
        {success.plan}
      </LinkButton>
    </>
  );
}

/** After a failed, abandoned or expired payment: offers the same choice again or another one. A failed change can also be cancelled. */
function Again({ payment }: { payment: PaymentFacts }) {
  const messages = useMessages(paymentMessages);
  const { order, status, page, planPath } = payment;
  const isChange = order.kind === "change";
  return (
    <>
      {status === "failed" && <Reason failure={order.failure} />}
      <LinkButton kind="primary" wide to={reviewPath(order)}>
        {page === "open" ? messages.again.open : messages.again.same}
      </LinkButton>
      {isChange && status === "failed" && <ChangeCard planPath={planPath} />}
      {isChange && (status === "failed" || page === "open") ? (
        <Form method="post" action={planPath}>
          <Button wide name="intent" value="undo-change">
            {messages.pay.giveUp}
          </Button>
        </Form>
      ) : (
        <LinkButton wide to={isChange ? planPath : href("/settings/upgrade")}>
          {isChange ? messages.success.plan : messages.again.choose}
        </LinkButton>
      )}
    </>
  );
}

function RenewalUnpaid({ payment }: { payment: PaymentFacts }) {
  const { pay, success } = useMessages(paymentMessages);
  const payDue = useMessages(payDueMessages);
  const { order, status, page, planPath, account, card } = payment;
  const canPay = status === "failed" || page === "open";
  const due: DuePayment = {
    order: order.id,
    another: "card",
    pay: payDue.pay(formatMoney(order, account.locale), card),
  };
  return (
    <>
      {status === "failed" && <Reason failure={order.failure} />}
      {payment.dueText && <p>{payment.dueText}</p>}
      {canPay && order.nextTryAt && <p>{pay.next(formatDay(order.nextTryAt, account))}</p>}
      {canPay && (
        <>
          <PayDue payment={due} planPath={planPath} wide />
        </>
      )}
      <LinkButton wide to={planPath}>
        {success.plan}
      </LinkButton>
    </>
  );
}

function Reason({ failure }: { failure: string | null }) {
  const reasons = useMessages(paymentReasonsMessages);
  return <p>{reasons[failureClassOf({ failure })]}</p>;
}

/** The card is changed on Stripe's page, which links back to the plan's page. */
function ChangeCard({ planPath }: { planPath: string }) {
  const { pay } = useMessages(paymentMessages);
  const pending = usePending("intent", "update-card");
  return (
    <Form method="post" action={planPath} {...documentForm}>
      <Button wide name="intent" value="update-card" pending={pending} pendingLabel={pay.toCard}>
        {pay.card}
      </Button>
    </Form>
  );
}
