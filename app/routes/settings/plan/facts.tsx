import { Form, href } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import { policies } from "#app/modules/subscriptions/rules.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Money } from "#app/ui/components/data/money.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { StateChip } from "#app/ui/components/data/state-chip.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { planMessages } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";

/** Plan, price, state as text, the next charge with amount and date, and its payment method. */
export function PlanFacts({ page }: { page: RunningPage }) {
  const messages = useMessages(planMessages);
  const pending = usePending("intent", "update-card");
  const { account, running, creditMinor } = page;
  const { locale, timeZone } = account;
  const date = (at: number) => <Moment at={at} timeZone={timeZone} locale={locale} />;
  const shownAmount = formatMoney({ amountMinor: Math.abs(creditMinor), currency: running.currency }, locale);
  return (
    <SectionCard
      title={messages.card}
      footer={
        <>
          <LinkButton to={href("/settings/upgrade")}>{messages.change}</LinkButton>
          <Form method="post" {...documentForm}>
            <Button name="intent" value="update-card" pending={pending} pendingLabel={messages.updatingCard}>
              {messages.updateCard}
            </Button>
          </Form>
        </>
      }
    >
      <KeyValues
        items={[
          {
            label: messages.plan,
            value: page.isRetired ? (
              <Retired name={page.plan.name} isEnding={running.cancelsAt !== null} />
            ) : (
              page.plan.name
            ),
          },
          {
            label: messages.price,
            value: (
              <>
                <Money value={running} locale={locale} /> {messages.per[running.interval]}
              </>
            ),
          },
          { label: messages.state, value: <PlanState page={page} /> },
          ...nextOf(page, messages, date),
          ...(creditMinor > 0 ? [{ label: messages.credit, value: messages.creditText(shownAmount) }] : []),
          ...(creditMinor < 0 ? [{ label: messages.carried, value: messages.carriedText(shownAmount) }] : []),
          { label: messages.since, value: date(running.startedAt) },
          { label: messages.payment, value: <CardFacts page={page} /> },
        ]}
      />
    </SectionCard>
  );
}

/** A customer who leaves a retired plan can't return to it, and should know before. */
function Retired({ name, isEnding }: { name: string; isEnding: boolean }) {
  const { retired } = useMessages(planMessages);
  return (
    <>
      {name} <StateChip tone="neutral">{retired.label}</StateChip>
      <br />
      {isEnding ? retired.textEnding : retired.text}
    </>
  );
}

type Texts = (typeof planMessages)["en"];

function nextOf({ account, running, next }: RunningPage, messages: Texts, date: (at: number) => React.ReactNode) {
  const ends = running.cancelsAt ? [{ label: messages.ends, value: date(running.cancelsAt) }] : [];
  if (next) {
    const value = messages.nextText(formatMoney(next, account.locale), formatDay(next.at, account));
    return [{ label: messages.next, value }, ...ends];
  }
  const isHeld = running.collection === "on-hold" && !policies[running.state].needsPayment;
  return [...(isHeld ? [{ label: messages.next, value: messages.onHold }] : []), ...ends];
}

function PlanState({ page: { running, account } }: { page: RunningPage }) {
  const messages = useMessages(planMessages);
  if (running.cancelsAt)
    return <StateChip tone="attention">{messages.endsSoon(formatDay(running.cancelsAt, account))}</StateChip>;
  if (running.pendingAt) return <StateChip tone="waiting">{messages.changesSoon}</StateChip>;
  const policy = policies[running.state];
  const tone = policy.needsPayment ? "bad" : policy.hasAccess ? "good" : "neutral";
  return <StateChip tone={tone}>{messages.states[running.state]}</StateChip>;
}

function CardFacts({ page: { running, card } }: { page: RunningPage }) {
  const messages = useMessages(planMessages);
  const { cardBrand, cardLast4, cardExpires } = running;
  if (!cardBrand || !cardLast4) return running.state === "paused" ? messages.noWayToPay : messages.noCard;
  return (
    <>
      {messages.cardText(capitalised(cardBrand), cardLast4, monthOnCard(cardExpires ?? ""))}{" "}
      {card !== "valid" && (
        <StateChip tone={card === "expired" ? "bad" : "attention"}>
          {card === "expired" ? messages.cardExpired : messages.cardSoon}
        </StateChip>
      )}
    </>
  );
}

/** "12/2034", as it is printed on cards in every country. */
function monthOnCard(expires: string): string {
  return expires.split("-").toReversed().join(href("/"));
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
