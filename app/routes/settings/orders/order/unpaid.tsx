import type { OrderId } from "#app/core/id.ts";
import { Form } from "react-router";
import { reviewPath } from "#app/core/page-paths.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { isAccountClosed } from "#app/modules/accounts/rules.ts";
import { isOpen } from "#app/modules/orders/rules.ts";
import { failureClassOf } from "#app/modules/orders/failure-class-of.rules.ts";
import { paymentPath } from "#app/modules/orders/unconfirmed.rules.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { unconfirmedMessages } from "../../unconfirmed.messages.ts";
import { orderDetailMessages } from "./messages.ts";
import { paymentReasonsMessages } from "#app/routes/payment/reasons.messages.ts";
import type { OrderPageData } from "./page-data.ts";

/** For an unpaid order: what failed, when it is retried, and how to pay it. */
export function OrderUnpaid({
  page: { account, order, planPath, days, dueText, processingText },
}: {
  page: OrderPageData;
}) {
  const { unpaid: messages } = useMessages(orderDetailMessages);
  const unconfirmed = useMessages(unconfirmedMessages);
  const reasons = useMessages(paymentReasonsMessages);
  const to = paymentPath(order);
  if (order.isUnconfirmed) {
    return (
      <Notice kind="info" title={unconfirmed.title}>
        {unconfirmed.text} <Link to={to}>{unconfirmed.link}</Link>
      </Notice>
    );
  }
  // A closed account pays nothing more.
  if (!isOpen(order.state) || isAccountClosed(account)) return null;
  if (order.state === "needs-action") {
    return (
      <Notice kind="attention" title={messages["needs-action"]}>
        {dueText && <p>{dueText}</p>}
        <LinkButton kind="primary" to={to}>
          {messages.confirm}
        </LinkButton>
        {order.kind === "renewal" && <ChangeCard planPath={planPath} />}
      </Notice>
    );
  }
  // A purchase continues at the checkout; an active plan's debt is collected automatically, and can be retried from here.
  if (order.kind === "new-plan" && order.state === "failed") {
    return (
      <Notice kind="problem" title={messages.failed}>
        <p>{reasons[failureClassOf(order)]}</p>
        <LinkButton kind="primary" to={reviewPath(order)}>
          {messages.again}
        </LinkButton>
      </Notice>
    );
  }
  if (processingText) return <Notice kind="info">{processingText}</Notice>;
  if (order.kind === "new-plan") {
    return (
      <p>
        <LinkButton to={to}>{messages.see}</LinkButton>
      </p>
    );
  }
  if (order.state !== "failed") return null;
  return (
    <Notice kind="problem" title={messages.failed}>
      <p>{reasons[failureClassOf(order)]}</p>
      {dueText && <p>{dueText}</p>}
      <p>{days.nextTry === null ? messages.noNextTry : messages.nextTry(days.nextTry)}</p>
      <RetryForm planPath={planPath} orderId={order.id} amount={formatMoney(order, account.locale)} />
      <ChangeCard planPath={planPath} />
    </Notice>
  );
}

/** The plan's page leads on to Stripe's, and charges the new card afterwards. */
function ChangeCard({ planPath }: { planPath: string }) {
  const { unpaid: messages } = useMessages(orderDetailMessages);
  return (
    <p>
      <Link to={planPath}>{messages.otherCard}</Link>
    </p>
  );
}

/** Posts to the plan's page, which redirects to the result of the attempt. */
function RetryForm({ planPath, orderId, amount }: { planPath: string; orderId: OrderId; amount: string }) {
  const { unpaid: messages } = useMessages(orderDetailMessages);
  const pending = usePending("intent", "retry");
  return (
    <Form method="post" action={planPath}>
      <input type="hidden" name="order" value={orderId} />
      <Button kind="primary" name="intent" value="retry" pending={pending} pendingLabel={messages.retrying}>
        {messages.retry(amount)}
      </Button>
    </Form>
  );
}
