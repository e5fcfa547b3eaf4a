import type { ReactNode } from "react";
import { isOpen } from "#app/modules/billing/orders/states.rules.ts";
import type { ShownOrder } from "../pick-rows.ts";
import { Cancel, Resume } from "./cancel.tsx";
import { OpenChange, PendingChange } from "./change.tsx";
import { LatestOrders } from "./latest-orders.tsx";
import { PlanGlance } from "./glance.tsx";
import { FirstPayment } from "./no-plan.tsx";
import type { RunningPage, PlanPageFacts } from "./page-data.ts";
import { href, Form, useLocation } from "react-router";
import { LinkButton, Button } from "#app/ui/components/forms/button.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { planMessages } from "./messages.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { PayDue } from "../pay-due.tsx";
import { unconfirmedMessages } from "../messages.ts";
import { Unconfirmed } from "./unconfirmed.tsx";

type RunningProps = {
  page: RunningPage;
  /** The form that asks why the plan was cancelled, while the page asks. */
  question: ReactNode;
};

/** An active plan: first what its owner may have to do, then the plan and its cancellation, and the latest payments last. */
export function Running({ page, question }: RunningProps) {
  const { due, isWithdrawn, open, texts } = page;
  return (
    <>
      {isWithdrawn && <OpenWithdrawal page={page} />}
      {due && <Due page={page} due={due} />}
      {open && isOpen(open.state) && <Open page={page} open={open} />}
      {texts.paused && <Paused page={page} paused={texts.paused} />}
      <Resume page={page} />
      {page.declaredEnd && <DeclaredEnd declared={page.declaredEnd} />}
      {page.pending && <PendingChange change={page.pending} />}
      {!due && !isWithdrawn && texts.expiring && <ExpiringCard expiring={texts.expiring} />}
      <PlanGlance page={page} />
      <Cancel page={page} />
      {question}
      <LatestOrders page={page} />
    </>
  );
}

/** An unpaid choice: a change of the active plan, or the replacement of a paused one. */
function Open({ page, open }: { page: RunningPage; open: ShownOrder }) {
  if (open.kind === "change") return <OpenChange page={page} open={open} />;
  return open.state === "draft" ? null : <FirstPayment page={page} order={open} />;
}

/** A cancellation was declared that isn't carried out yet: it is taken back on the page where it was declared. */
function DeclaredEnd({ declared }: { declared: NonNullable<PlanPageFacts["declaredEnd"]> }) {
  return (
    <SectionCard
      title={declared.title}
      tone="attention"
      footer={<LinkButton to={href("/cancel")}>{declared.link}</LinkButton>}
    >
      <p>{declared.text}</p>
    </SectionCard>
  );
}

/** The card expires before the next charge, which will fail unless it is replaced. */
function ExpiringCard({ expiring }: { expiring: NonNullable<RunningPage["texts"]["expiring"]> }) {
  const { updateCard, updatingCard } = useMessages(planMessages);
  const pending = usePending("intent", "update-card");
  return (
    <SectionCard title={expiring.title} tone="attention">
      <p>{expiring.text}</p>
      <Form method="post" {...documentForm}>
        <Button kind="primary" name="intent" value="update-card" pending={pending} pendingLabel={updatingCard}>
          {updateCard}
        </Button>
      </Form>
    </SectionCard>
  );
}

/** The customer withdrew from this plan, and waits for the outcome: nothing else about its future is certain. */
function OpenWithdrawal({ page }: { page: RunningPage }) {
  const { withdrawal: messages } = useMessages(planMessages);
  const [first] = page.withdrawals;
  if (!first) return null;
  return (
    <SectionCard
      title={messages.title}
      footer={<LinkButton to={href("/settings/orders/:order", { order: first.orderId })}>{messages.link}</LinkButton>}
    >
      <p>
        {first.text} {messages.text}
      </p>
    </SectionCard>
  );
}

type PausedProps = { page: RunningPage; paused: NonNullable<RunningPage["texts"]["paused"]> };

/** Nothing is charged. To continue, the customer buys the plan or asks the team. */
function Paused({ page: { open }, paused: { title, texts, link } }: PausedProps) {
  return (
    <SectionCard title={title} tone="attention">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {link && open?.state !== "processing" && (
        <LinkButton kind={open ? "quiet" : "primary"} to={link.to}>
          {link.text}
        </LinkButton>
      )}
    </SectionCard>
  );
}

/** An unpaid renewal: the reason, until when everything works, and the way to pay it. */
function Due({ page, due }: { page: RunningPage; due: ShownOrder }) {
  const unconfirmed = useMessages(unconfirmedMessages);
  const { pathname } = useLocation();
  if (due.isUnconfirmed) {
    return <Unconfirmed order={due} title={unconfirmed.titleOf(formatMoney(due, page.reader.locale))} />;
  }
  if (!page.texts.due) return null;
  const { title, tone, texts, action } = page.texts.due;
  return (
    <SectionCard title={title} tone={tone}>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {action.kind === "pay" ? (
        <>
          <PayDue payment={action.payment} planPath={pathname} />
          <p className="quiet">{action.note}</p>
        </>
      ) : (
        <LinkButton kind={action.isMain ? "primary" : "quiet"} to={action.to}>
          {action.label}
        </LinkButton>
      )}
    </SectionCard>
  );
}
