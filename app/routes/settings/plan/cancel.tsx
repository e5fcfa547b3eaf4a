import { Form, Link } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import { endsAtOnce, policies, unpaidGraceWindowMs } from "#app/modules/subscriptions/rules.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Points } from "#app/ui/components/data/points.tsx";
import { Dialog } from "#app/ui/components/layout/dialog.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { askReasonParameter } from "./query-parameters.ts";
import { planMessages } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";

/**
 * Cancels at the end of the period, with one click that another one reverts; or immediately, after a confirmation, since that can't be
 * reverted.
 */
export function Cancel({ page }: { page: RunningPage }) {
  if (endsAtOnce(page.running.state)) return <EndNow page={page} />;
  return <CancelWithPeriod page={page} />;
}

function CancelWithPeriod({ page }: { page: RunningPage }) {
  const { cancel: messages } = useMessages(planMessages);
  const pending = usePending("intent", "cancel");
  const { running, account, freeName, product } = page;
  return (
    <SectionCard title={messages.title}>
      {page.isWithdrawn ? (
        <p>{messages.textWithdrawn}</p>
      ) : (
        <p>
          {messages.text(formatDay(running.periodEndsAt, account), lastCharge(page), { product, free: freeName })}{" "}
          {page.dataWhenSmaller}
        </p>
      )}
      {!page.isWithdrawn && page.excess.length > 0 && <Points points={page.excess} />}
      <Form method="post">
        <Button kind="danger" name="intent" value="cancel" pending={pending} pendingLabel={messages.pending}>
          {messages.button}
        </Button>
      </Form>
      {/* Below the button, which is on the first screen. */}
      {!page.isWithdrawn && page.freeIncludes && <p className="quiet">{page.freeIncludes}</p>}
    </SectionCard>
  );
}

function EndNow({ page }: { page: RunningPage }) {
  const { endNow: messages } = useMessages(planMessages);
  const pending = usePending("intent", "cancel");
  const { running, account, plan, freeName, product, due } = page;
  // A payment that the bank is processing would still be debited; it is shown in a separate card.
  if (due?.state === "processing" || due?.isUnconfirmed) {
    return (
      <SectionCard title={messages.title}>
        <p>{messages.inProcess}</p>
      </SectionCard>
    );
  }
  return (
    <SectionCard title={messages.title}>
      <p>
        {freeName === null ? messages.textNoPlan(product) : messages.text(freeName)} {page.dataWhenSmaller}
      </p>
      <Shrinking page={page} />
      <Dialog
        id="end-plan"
        title={messages.dialog(plan.name)}
        openLabel={messages.open}
        openKind="danger"
        messages={{ close: messages.keep }}
        action={
          <Form method="post">
            <Button kind="danger" name="intent" value="cancel" pending={pending} pendingLabel={messages.pending}>
              {messages.button}
            </Button>
          </Form>
        }
      >
        <p>
          {freeName === null ? messages.warningNoPlan(plan.name, product) : messages.warning(plan.name, freeName)}{" "}
          {due && messages.unpaid(formatMoney(due, account.locale))}
        </p>
        {page.dataWhenSmaller && <p>{page.dataWhenSmaller}</p>}
        {policies[running.state].needsPayment && <p>{messages.graceUsed(unpaidGraceWindowMs / dayMs)}</p>}
      </Dialog>
    </SectionCard>
  );
}

/** What the plan that follows includes, and what of today's use it doesn't. */
function Shrinking({ page: { freeIncludes, excess } }: { page: RunningPage }) {
  return (
    <>
      {freeIncludes && <p>{freeIncludes}</p>}
      {excess.length > 0 && <Points points={excess} />}
    </>
  );
}

/** An invoice that already exists as a draft is still charged, within the hour. */
function lastCharge({ running, next, account }: RunningPage): string | null {
  return running.comingAt && next ? formatMoney(next, account.locale) : null;
}

/** Cancelled: when it ends, and the button to keep it. */
export function Resume({ page, endsAt }: { page: RunningPage; endsAt: number }) {
  const { resume: messages, why } = useMessages(planMessages);
  const pending = usePending("intent", "resume");
  const isAskedLater = page.question?.given === null && !page.isAsking;
  return (
    <SectionCard title={messages.title(formatDay(endsAt, page.account))} tone="attention">
      <p>
        {messages.text(lastCharge(page), page.freeName)} {page.dataWhenSmaller}
      </p>
      <Shrinking page={page} />
      <Form method="post" className="row">
        <Button kind="primary" name="intent" value="resume" pending={pending} pendingLabel={messages.pending}>
          {messages.button}
        </Button>
        {isAskedLater && <Link to={`?${askReasonParameter}#why`}>{why}</Link>}
      </Form>
    </SectionCard>
  );
}
