import { Form } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import { failureClasses } from "#app/modules/billing-sync/judge-order.rules.ts";
import { Button, LinkButton } from "#app/ui/components/button.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { leavingForm } from "#app/ui/hooks/leaving-form.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { paymentReasonsWords } from "./reasons.messages.ts";
import { paymentWords } from "./messages.ts";
import type { PaymentFacts } from "./page-data.ts";

/** What a person can do now, by what the payment is for and what became of it. */
export function WayOn({ payment }: { payment: PaymentFacts }) {
  if (payment.isLeaving) return <Leaving payment={payment} />;
  if (payment.page === "unconfirmed") return <Unconfirmed isLimited={payment.waitSeconds !== null} />;
  switch (payment.status) {
    case "success":
      return <Paid payment={payment} />;
    case "processing":
      return <OnItsWay payment={payment} />;
    case "action":
      return <Asked payment={payment} />;
    case "failed":
    case "cancelled":
    case "expired":
      return payment.order.kind === "renewal" ? <RenewalUnpaid payment={payment} /> : <Again payment={payment} />;
  }
}

/** Nothing can be bought or tried again: having the account back, and the receipt. */
function Leaving({ payment: { order } }: { payment: PaymentFacts }) {
  const { leaving: words, success } = useWords(paymentWords);
  return (
    <>
      <LinkButton kind="primary" wide to="/settings">
        {words.account}
      </LinkButton>
      <LinkButton wide to={`/settings/orders?order=${order.id}`}>
        {order.paidAt === null ? success.order : success.receipt}
      </LinkButton>
    </>
  );
}

/** Stripe couldn't be asked: there is nothing to do but to wait, and nothing here to pay with. */
function Unconfirmed({ isLimited }: { isLimited: boolean }) {
  const { unconfirmed, processing } = useWords(paymentWords);
  return (
    <>
      <p>{isLimited ? unconfirmed.often : unconfirmed.text}</p>
      {!isLimited && <p className="quiet">{processing.refresh}</p>}
      <LinkButton wide to="/settings/orders">
        {processing.orders}
      </LinkButton>
    </>
  );
}

function Paid({ payment: { order, page, product, planPath } }: { payment: PaymentFacts }) {
  const { success: words } = useWords(paymentWords);
  const isStart = order.kind === "new-plan" && page === "success";
  return (
    <>
      {isStart && <p>{words.next(product)}</p>}
      <LinkButton kind="primary" wide to={isStart ? "/settings#start" : planPath}>
        {isStart ? words.start(product) : words.plan}
      </LinkButton>
      <LinkButton wide to={`/settings/orders?order=${order.id}`}>
        {words.receipt}
      </LinkButton>
    </>
  );
}

function OnItsWay({ payment: { order, planPath } }: { payment: PaymentFacts }) {
  const { processing: words, success } = useWords(paymentWords);
  return (
    <>
      <p>{words.text}</p>
      <p className="quiet">{words.refresh}</p>
      {order.kind !== "new-plan" && (
        <LinkButton wide to={planPath}>
          {success.plan}
        </LinkButton>
      )}
      <LinkButton wide to="/settings/orders">
        {words.orders}
      </LinkButton>
    </>
  );
}

/** The checkout leads back here by itself. The page of an invoice doesn't, so that it stands beside this one. */
function Asked({ payment: { order, planPath } }: { payment: PaymentFacts }) {
  const { action: words, success } = useWords(paymentWords);
  if (order.kind === "new-plan" || !order.checkoutUrl) {
    return (
      <>
        <p>{words.text}</p>
        <LinkButton kind="primary" wide to={order.checkoutUrl ?? againPath(order)} reloadDocument>
          {words.button}
        </LinkButton>
      </>
    );
  }
  return (
    <>
      <p>{words.invoice}</p>
      <LinkButton kind="primary" wide to={order.checkoutUrl} newTab>
        {words.invoiceButton}
      </LinkButton>
      <LinkButton wide to={planPath}>
        {success.plan}
      </LinkButton>
    </>
  );
}

/** Failed, left or run out: the same choice again, or another one. A change that failed can be given up, too. */
function Again({ payment }: { payment: PaymentFacts }) {
  const words = useWords(paymentWords);
  const { order, status, page, planPath } = payment;
  const isChange = order.kind === "change";
  const canGoOn = page === "open" || (status === "cancelled" && !isChange);
  return (
    <>
      {status === "failed" && <Reason failure={order.failure} />}
      <LinkButton kind="primary" wide to={againPath(order)}>
        {canGoOn ? words.again.cancelled : words.again.same}
      </LinkButton>
      {isChange && status === "failed" && <ChangeCard planPath={planPath} />}
      {isChange && (status === "failed" || page === "open") ? (
        <Form method="post" action={planPath}>
          <Button wide name="intent" value="undo-change">
            {words.pay.giveUp}
          </Button>
        </Form>
      ) : (
        <LinkButton wide to={isChange ? planPath : "/settings/upgrade"}>
          {isChange ? words.success.plan : words.again.choose}
        </LinkButton>
      )}
    </>
  );
}

function RenewalUnpaid({ payment }: { payment: PaymentFacts }) {
  const words = useWords(paymentWords);
  const isPaying = usePending("intent", "retry");
  const { order, status, page, planPath, account, card } = payment;
  const canPay = status === "failed" || page === "open";
  return (
    <>
      {status === "failed" && <Reason failure={order.failure} />}
      {canPay && order.nextTryAt && <p>{words.pay.next(formatDay(order.nextTryAt, account))}</p>}
      {canPay && (
        <>
          <Form method="post" action={planPath}>
            <input type="hidden" name="order" value={order.id} />
            <Button kind="primary" wide name="intent" value="retry" pending={isPaying} pendingLabel={words.pay.pending}>
              {words.pay.now(formatMoney(order, account.locale), card)}
            </Button>
          </Form>
          <ChangeCard planPath={planPath} />
        </>
      )}
      <LinkButton wide to={planPath}>
        {words.success.plan}
      </LinkButton>
    </>
  );
}

function Reason({ failure }: { failure: string | null }) {
  const reasons = useWords(paymentReasonsWords);
  return <p>{reasons[failureClasses.find((known) => known === failure) ?? "other"]}</p>;
}

/** At the provider, which leads back to the plan's page. */
function ChangeCard({ planPath }: { planPath: string }) {
  const { pay } = useWords(paymentWords);
  const pending = usePending("intent", "update-card");
  return (
    <Form method="post" action={planPath} {...leavingForm}>
      <Button wide name="intent" value="update-card" pending={pending} pendingLabel={pay.toCard}>
        {pay.card}
      </Button>
    </Form>
  );
}

function againPath({ planId, interval }: PaymentFacts["order"]): string {
  return `/settings/upgrade?${new URLSearchParams({ plan: planId, interval })}`;
}
