import { Form, href } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { nameMethod } from "#app/modules/billing/subscriptions/reminders.rules.ts";
import { policies } from "#app/modules/billing/subscriptions/rules.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { Money } from "#app/ui/components/data/money.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { StateChip } from "#app/ui/components/data/state-chip.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { withdrawalRows } from "../withdrawal-rows.tsx";
import { planMessages } from "./messages.ts";
import { moneyBackRow } from "./money-back-row.tsx";
import type { RunningPage } from "./page-data.ts";
import { planStatus } from "./plan-status.ts";
import { PlanUsage } from "./usage.tsx";

export function PlanGlance({ page }: { page: RunningPage }) {
  const messages = useMessages(planMessages);
  const pending = usePending("intent", "update-card");
  const { reader, running, plan } = page;
  // Only a paid plan can be changed, and none that ends or will be refunded.
  const hasChange = !policies[running.state].needsPayment && running.cancelsAt === null && !page.isWithdrawn;
  // The section about a failed payment or an expiring card has the button already.
  const hasCard =
    !page.isWithdrawn &&
    (page.due?.state !== "failed" || page.due.isUnconfirmed) &&
    (page.due !== null || !page.texts.expiring);
  return (
    <SectionCard
      title={
        <span className="title-and-status plan-title">
          {plan.name} <PlanState page={page} />
        </span>
      }
      footer={
        (hasChange || hasCard) && (
          <>
            {hasChange && <LinkButton to={href("/settings/upgrade")}>{messages.change}</LinkButton>}
            {hasCard && (
              <Form method="post" {...documentForm}>
                <Button name="intent" value="update-card" pending={pending} pendingLabel={messages.updatingCard}>
                  {changeLabel(running, messages)}
                </Button>
              </Form>
            )}
          </>
        )
      }
    >
      <div className="plan-glance">
        <div className="plan-money">
          <p className="plan-price">
            <span className="plan-amount">
              <Money value={running} locale={reader.locale} />
            </span>{" "}
            <span className="plan-per">{messages.per[running.interval]}</span>
          </p>
          <KeyValues items={factsOf(page, messages)} />
        </div>
        {page.usage && <PlanUsage usage={page.usage} reader={reader} />}
      </div>
      {page.texts.retired && <p>{page.texts.retired}</p>}
    </SectionCard>
  );
}

type Texts = (typeof planMessages)["en"];

function factsOf(page: RunningPage, messages: Texts) {
  const { reader, running, creditMinor } = page;
  const amount = formatMoney({ amountMinor: Math.abs(creditMinor), currency: running.currency }, reader.locale);
  return [
    ...nextOf(page, messages),
    ...(creditMinor > 0 ? [{ label: messages.credit, value: messages.creditText(amount) }] : []),
    ...(creditMinor < 0 ? [{ label: messages.carried, value: messages.carriedText(amount) }] : []),
    { label: messages.payment, value: <CardFacts page={page} /> },
    ...moneyBackRow(page, messages),
    // The withdrawal from this plan has a section of its own.
    ...(page.isWithdrawn ? [] : withdrawalRows(page.withdrawals)),
  ];
}

/** When a plan ends, its status says so. */
function nextOf({ running, texts, isWithdrawn }: RunningPage, messages: Texts) {
  // A due payment comes first, and a refund of the plan ends it.
  if (policies[running.state].needsPayment || isWithdrawn) return [];
  if (texts.next) return [{ label: messages.next, value: texts.next }];
  return running.collection === "on-hold" ? [{ label: messages.next, value: messages.onHold }] : [];
}

function PlanState({ page: { running, reader, due, texts, isWithdrawn } }: { page: RunningPage }) {
  const messages = useMessages(planMessages);
  const { text, tone } = planStatus(running, reader, messages, {
    isWithdrawn,
    isToConfirm: due?.state === "needs-action",
  });
  return (
    <>
      <StateChip tone={tone}>{text}</StateChip>
      {texts.retired && tone === "good" && <StateChip tone="neutral">{messages.retired}</StateChip>}
    </>
  );
}

function changeLabel(running: RunningPage["running"], messages: Texts): string {
  if (!nameMethod(running)) return messages.addCard;
  return running.cardExpires === null ? messages.updateMethod : messages.updateCard;
}

function CardFacts({ page: { running, card } }: { page: RunningPage }) {
  const messages = useMessages(planMessages);
  const name = nameMethod(running);
  if (!name) return running.state === "paused" ? messages.noWayToPay : messages.noCard;
  return (
    <>
      {running.cardExpires ? messages.cardText(name, monthOnCard(running.cardExpires)) : name}{" "}
      {card !== "valid" && (
        <StateChip tone="attention">{card === "expired" ? messages.cardExpired : messages.cardSoon}</StateChip>
      )}
    </>
  );
}

/** "12/2034", as it is printed on cards in every country. */
function monthOnCard(expires: string): string {
  return expires.split("-").toReversed().join("/");
}
