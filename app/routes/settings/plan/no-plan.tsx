import { Form, href } from "react-router";
import { Link } from "#app/ui/components/link.tsx";
import type { ShownOrder } from "../pick-rows.ts";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { unconfirmedMessages } from "../messages.ts";
import { LatestOrders } from "./latest-orders.tsx";
import { askReasonParameter } from "./query-parameters.ts";
import { withdrawalRows } from "../withdrawal-rows.tsx";
import { moneyBackRow } from "./money-back-row.tsx";
import { planMessages } from "./messages.ts";
import { PlanUsage } from "./usage.tsx";
import { Unconfirmed } from "./unconfirmed.tsx";
import type { PlanPageFacts } from "./page-data.ts";

/** No active plan: what ended last, and what is about to start. */
export function NoPlan({ page }: { page: PlanPageFacts }) {
  const messages = useMessages(planMessages);
  const { free, noPlan } = messages;
  const { ended, open, reader, plan, product, freeHint } = page;
  const begun = open && open.state !== "draft" ? open : null;
  const isEnded = ended?.endedAt != null;
  const isStarting = begun?.state === "processing";
  const rows = [...withdrawalRows(page.withdrawals), ...moneyBackRow(page, messages)];
  const text = plan ? (isStarting ? null : freeHint) : (isEnded ? noPlan.textAfter : noPlan.text)(product);
  return (
    <>
      {begun && <FirstPayment page={page} order={begun} />}
      {page.lostTitle && (
        <SectionCard
          title={page.lostTitle}
          tone="attention"
          footer={
            page.again && (
              <LinkButton kind={begun ? "quiet" : "primary"} to={page.again.to}>
                {page.again.text}
              </LinkButton>
            )
          }
        >
          <WhyEnded page={page} />
        </SectionCard>
      )}
      <SectionCard
        title={plan ? free.title(plan.name) : noPlan.title}
        footer={
          <>
            {page.again && !page.lostTitle && !page.isRefundOwed && (
              <LinkButton kind={begun ? "quiet" : "primary"} to={page.again.to}>
                {page.again.text}
              </LinkButton>
            )}
            {!isStarting && !page.isRefundOwed && (
              <LinkButton
                kind={begun || page.again || page.lostTitle ? "quiet" : "primary"}
                to={href("/settings/upgrade")}
              >
                {plan ? free.upgrade : noPlan.choose}
              </LinkButton>
            )}
          </>
        }
      >
        {!page.lostTitle && <WhyEnded page={page} />}
        {text && <p>{text}</p>}
        {rows.length > 0 && <KeyValues items={rows} />}
        {page.usage && <PlanUsage usage={page.usage} reader={reader} />}
        {ended && page.question?.given === null && !page.isAsking && (
          <p>
            <Link to={`?${askReasonParameter}#why`}>{messages.whyLeft}</Link>
          </p>
        )}
      </SectionCard>
      {isEnded && page.orders.length > 0 && <LatestOrders page={page} />}
    </>
  );
}

/** When the last plan ended and why, and what happens to the data. */
function WhyEnded({ page: { endedText, keptData } }: { page: PlanPageFacts }) {
  return (
    <>
      {endedText && <p>{endedText}</p>}
      {keptData && <p>{keptData}</p>}
    </>
  );
}

/** A first payment that hasn't arrived: processing, or to be completed. */
export function FirstPayment({ page, order }: { page: PlanPageFacts; order: ShownOrder }) {
  const messages = useMessages(planMessages);
  const unconfirmed = useMessages(unconfirmedMessages);
  const isGivingUp = usePending("intent", "undo-change");
  const plan = page.planNames[order.planId] ?? "";
  if (order.isUnconfirmed) return <Unconfirmed order={order} title={unconfirmed.titleFor(plan)} />;
  if (!page.firstPayment) return null;
  const { title, text, link, to, giveUp } = page.firstPayment;
  return (
    <SectionCard
      title={title}
      tone={giveUp ? "attention" : "plain"}
      footer={
        <>
          <LinkButton kind={giveUp ? "primary" : "quiet"} to={to}>
            {link}
          </LinkButton>
          {giveUp && (
            <Form method="post">
              <Button name="intent" value="undo-change" pending={isGivingUp} pendingLabel={messages.giveUpPending}>
                {giveUp}
              </Button>
            </Form>
          )}
        </>
      }
    >
      <p>{text}</p>
    </SectionCard>
  );
}
