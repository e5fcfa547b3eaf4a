import { href } from "react-router";
import { reviewPath } from "#app/core/page-paths.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { planMessages } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";

/** A trial that ended without a payment method: nothing is charged, and the customer buys the plan to continue. */
export function Paused({ page }: { page: RunningPage }) {
  const { paused: messages, per, free } = useMessages(planMessages);
  const { running, plan, account, continueMinor: goOnMinor, open } = page;
  const price = formatMoney({ amountMinor: goOnMinor, currency: running.currency }, account.locale);
  const isSold = goOnMinor > 0;
  return (
    <SectionCard title={messages.title(plan.name)} tone="attention">
      <p>{messages.text(page.lockedMeans)}</p>
      {isSold && <p>{messages.continueText(plan.name)}</p>}
      {open?.state !== "processing" && (
        <LinkButton kind={open ? "quiet" : "primary"} to={isSold ? reviewPath(running) : href("/settings/upgrade")}>
          {isSold ? messages.continueWith(plan.name, price, per[running.interval]) : free.upgrade}
        </LinkButton>
      )}
    </SectionCard>
  );
}
