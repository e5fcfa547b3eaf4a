import { Form, href } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { nameMethod } from "#app/modules/subscriptions/reminders.rules.ts";
import { graceMs, isLockedAtOnce, policies, unpaidGraceWindowMs } from "#app/modules/subscriptions/rules.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { unconfirmedMessages } from "../unconfirmed.messages.ts";
import { planMessages } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";
import { Unconfirmed } from "./unconfirmed.tsx";

/** An unpaid renewal: the reason, until when everything works, and the way to pay it. */
export function Due({ page, due }: { page: RunningPage; due: Order }) {
  const { due: messages, updateCard, updatingCard } = useMessages(planMessages);
  const unconfirmed = useMessages(unconfirmedMessages);
  const isPaying = usePending("intent", "retry");
  const isUpdating = usePending("intent", "update-card");
  const { account, running, now } = page;
  const amount = formatMoney(due, account.locale);
  const wantsHolder = due.state === "needs-action";
  if (due.isUnconfirmed) return <Unconfirmed order={due} title={unconfirmed.titleOf(amount)} />;
  if (due.state === "processing") {
    return (
      <SectionCard title={messages.titleProcessing(amount)}>
        <p>{messages.processing}</p>
      </SectionCard>
    );
  }
  const title = wantsHolder ? messages.titleConfirm(amount) : messages.title(amount);
  const isLocked = !policies[running.state].hasAccess;
  return (
    <SectionCard title={title} tone={wantsHolder && !isLocked ? "attention" : "problem"}>
      <p>{wantsHolder ? messages.confirm : page.dueReason}</p>
      <p>
        {isLocked
          ? messages.locked(page.lockedMeans)
          : messages.grace(formatDay((running.pastDueSince ?? due.createdAt) + graceMs, account))}{" "}
        {isLockedAtOnce(running, now) && messages.noGrace(unpaidGraceWindowMs / dayMs)}{" "}
        {due.nextTryAt ? messages.next(formatDay(due.nextTryAt, account)) : messages.noNext}
      </p>
      {wantsHolder ? (
        <LinkButton kind="primary" to={`${href("/payment/:status", { status: "action" })}?order=${due.id}`}>
          {messages.toConfirm}
        </LinkButton>
      ) : (
        <div className="row">
          {page.card !== "expired" && (
            <Form method="post">
              <input type="hidden" name="order" value={due.id} />
              <Button kind="primary" name="intent" value="retry" pending={isPaying} pendingLabel={messages.paying}>
                {messages.pay(amount, nameMethod(running))}
              </Button>
            </Form>
          )}
          <Form method="post" {...documentForm}>
            <Button
              kind={page.card === "expired" ? "primary" : "quiet"}
              name="intent"
              value="update-card"
              pending={isUpdating}
              pendingLabel={updatingCard}
            >
              {updateCard}
            </Button>
          </Form>
        </div>
      )}
      {!wantsHolder && <p className="quiet">{messages.otherCard}</p>}
    </SectionCard>
  );
}
