import { useRouteLoaderData } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { formatMoney, type Money } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import { expiresBefore } from "#app/modules/subscriptions/card.rules.ts";
import { nextCharge, policies, type Subscription } from "#app/modules/subscriptions/rules.ts";
import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import { freePlan, priceMinorOf, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { LinkButton } from "#app/ui/components/button.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { SectionCard } from "#app/ui/components/section-card.tsx";
import type { Route as SettingsRoute } from "../+types/layout";
import { settingsWords } from "../messages.ts";
import { youWords } from "./messages.ts";

type PlanFacts = {
  /** Null: no plan is in force. */
  name: string | null;
  /** Null: no plan is paid for. */
  running: {
    /** Null: nothing is charged for it at the moment. */
    next: (Money & { at: number }) | null;
    cancelsAt: number | null;
    pendingName: string | null;
    isDue: boolean;
    isPaused: boolean;
    isCardExpiring: boolean;
  } | null;
};

/** What this page says of the plan that runs. */
export function planFacts(
  product: ProductConfig,
  running: Subscription | null,
  creditMinor: number,
  now: number,
): PlanFacts {
  if (!running) return { name: freePlan(product)?.name ?? null, running: null };
  const { cancelsAt, planId, pendingPlanId, state, cardExpires } = running;
  const next = nextCharge(running, priceMinorOf.bind(null, product), creditMinor);
  return {
    name: planName(product, planId),
    running: {
      next,
      cancelsAt,
      // What is drawn already is still for what runs.
      pendingName: running.comingAt || !pendingPlanId ? null : planName(product, pendingPlanId),
      isDue: policies[state].needsPayment,
      isPaused: state === "paused",
      isCardExpiring: next !== null && expiresBefore(cardExpires, next.at, now),
    },
  };
}

type NamedFacts = PlanFacts & { name: string };
type PlanCardProps = { plan: PlanFacts; planPath: string; account: Account; product: string };

/** Which plan, and when and how much is charged for next, or when it ends. */
export function PlanCard({ plan, planPath, account, product }: PlanCardProps) {
  const { plan: words } = useWords(youWords);
  const { due: dueWords } = useWords(settingsWords);
  const due = useRouteLoaderData<SettingsRoute.ComponentProps["loaderData"]>("routes/settings/layout")?.due;
  const { running } = plan;
  const isExpiring = running?.isCardExpiring ?? false;
  const link = running ? (running.isDue ? words.pay : isExpiring ? words.updateCard : words.manage) : words.upgrade;
  if (plan.name === null) return <NoPlan product={product} />;
  return (
    <SectionCard
      title={words.title}
      tone={running?.isDue ? "problem" : isExpiring ? "attention" : "plain"}
      footer={
        <LinkButton kind={running?.isDue ? "primary" : "quiet"} to={running ? planPath : "/settings/upgrade"}>
          {link}
        </LinkButton>
      }
    >
      <p suppressHydrationWarning>{sayPlan(words, { ...plan, name: plan.name }, account)}</p>
      {isExpiring && <p>{words.cardExpires}</p>}
      {running?.isDue && due && <p>{dueWords.text(due.isLocked, due.until, due.lockedMeans)}</p>}
    </SectionCard>
  );
}

function NoPlan({ product }: { product: string }) {
  const { plan: words } = useWords(youWords);
  return (
    <SectionCard
      title={words.none}
      footer={
        <LinkButton kind="primary" to="/settings/upgrade">
          {words.choose}
        </LinkButton>
      }
    >
      <p>{words.noneText(product)}</p>
    </SectionCard>
  );
}

function sayPlan(words: (typeof youWords)["en"]["plan"], { name, running }: NamedFacts, account: Account): string {
  if (!running) return words.free(name);
  if (running.isDue) return words.due(name);
  if (running.isPaused) return words.paused(name);
  if (running.cancelsAt) return words.ends(name, formatDay(running.cancelsAt, account));
  if (!running.next) return words.onHold(name);
  const charge = [formatMoney(running.next, account.locale), formatDay(running.next.at, account)] as const;
  return running.pendingName ? words.changes(name, running.pendingName, ...charge) : words.renews(name, ...charge);
}
