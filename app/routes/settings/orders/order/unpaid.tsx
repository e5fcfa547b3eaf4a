import { reviewPath } from "#app/core/page-paths.ts";
import { isAccountClosed } from "#app/modules/accounts/rules.ts";
import { isOpen, failureClassOf, paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { PayDue } from "../../pay-due.tsx";
import { unconfirmedMessages } from "../../messages.ts";
import { orderDetailMessages } from "./messages.ts";
import { paymentReasonsMessages } from "#app/routes/payment/messages.ts";
import type { OrderPageData } from "./page-data.ts";

/** For an unpaid order: what failed, when it is retried, and how to pay it. */
export function OrderUnpaid({
  page: { account, order, planPath, days, dueText, processingText, duePayment, lost },
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
  if (lost) {
    return (
      <Notice kind="attention" title={lost.title}>
        <p>{lost.text}</p>
        {lost.again && !isAccountClosed(account) && (
          <LinkButton kind="primary" to={lost.again.to}>
            {lost.again.text}
          </LinkButton>
        )}
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
      {duePayment && <PayDue payment={duePayment} planPath={planPath} />}
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
