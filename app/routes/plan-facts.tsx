import type { Account } from "#app/domain/accounts/rules.ts";
import { policies, type Subscription } from "#app/domain/plans/rules.ts";
import { KeyValues } from "#app/ui/key-values.tsx";
import { useWords } from "#app/ui/language.ts";
import { Moment } from "#app/ui/moment.tsx";
import { Money } from "#app/ui/money.tsx";
import { StateChip } from "#app/ui/state-chip.tsx";
import { planWords } from "./plan.words.ts";

type PlanFactsProps = { account: Account; subscription: Subscription; planName: string };

/** Plan, price, state in words, the next charge with amount and date, and what it is paid by. */
export function PlanFacts({ account, subscription, planName }: PlanFactsProps) {
  const words = useWords(planWords);
  const price = <Money value={subscription} locale={account.locale} />;
  const date = (at: number) => <Moment at={at} timeZone={account.timeZone} locale={account.locale} />;
  const { cancelsAt, cardBrand, cardLast4, cardExpires } = subscription;
  return (
    <KeyValues
      items={[
        { label: words.plan, value: planName },
        {
          label: words.price,
          value: (
            <>
              {price} {words.per[subscription.interval]}
            </>
          ),
        },
        { label: words.state, value: <PlanState subscription={subscription} /> },
        cancelsAt
          ? { label: words.ends, value: date(cancelsAt) }
          : {
              label: words.next,
              value: (
                <>
                  {price}
                  {words.on}
                  {date(subscription.periodEndsAt)}
                </>
              ),
            },
        { label: words.since, value: date(subscription.startedAt) },
        {
          label: words.payment,
          value:
            cardBrand && cardLast4
              ? words.cardText(capitalised(cardBrand), cardLast4, cardExpires ?? "")
              : words.noCard,
        },
      ]}
    />
  );
}

function PlanState({ subscription }: { subscription: Subscription }) {
  const words = useWords(planWords);
  if (subscription.cancelsAt) return <StateChip tone="attention">{words.endsSoon}</StateChip>;
  const policy = policies[subscription.state];
  const tone = policy.needsPayment ? "bad" : policy.hasAccess ? "good" : "neutral";
  return <StateChip tone={tone}>{words.states[subscription.state]}</StateChip>;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
