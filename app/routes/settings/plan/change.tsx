import { Form } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { paymentPath } from "#app/modules/orders/unconfirmed.rules.ts";
import { Button, LinkButton } from "#app/ui/components/button.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { SectionCard } from "#app/ui/components/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { unconfirmedWords } from "../unconfirmed.messages.ts";
import { planWords } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";
import { Unconfirmed } from "./unconfirmed.tsx";

/** What begins with the next period, and the way back; while another change waits for its payment, that one has its own. */
export function PendingChange({ page }: { page: RunningPage }) {
  const { pending: words, per } = useWords(planWords);
  const pending = usePending("intent", "undo-change");
  const { account, running, plan, planNames, open } = page;
  const { pendingPlanId, pendingInterval, pendingAt, currency } = running;
  if (!pendingPlanId || !pendingInterval || !pendingAt) return null;
  const price = formatMoney({ amountMinor: page.pendingMinor, currency }, account.locale);
  return (
    <SectionCard title={words.title(planNames[pendingPlanId] ?? "", formatDay(pendingAt, account))} tone="attention">
      {open ? (
        <p>{words.aside(planNames[open.planId] ?? "", price, per[pendingInterval])}</p>
      ) : (
        <>
          <p>{words.text(plan.name, price, per[pendingInterval])}</p>
          <Form method="post">
            <Button name="intent" value="undo-change" pending={pending} pendingLabel={words.pending}>
              {words.undo(plan.name)}
            </Button>
          </Form>
        </>
      )}
    </SectionCard>
  );
}

/** A change that was confirmed and isn't paid: what became of it, and the way to be rid of it. */
export function OpenChange({ page, open }: { page: RunningPage; open: Order }) {
  const { open: words } = useWords(planWords);
  const unconfirmed = useWords(unconfirmedWords);
  const pending = usePending("intent", "undo-change");
  const name = page.planNames[open.planId] ?? "";
  if (open.isUnconfirmed) return <Unconfirmed order={open} title={unconfirmed.titleFor(name)} />;
  const isProcessing = open.state === "processing";
  return (
    <SectionCard
      title={isProcessing ? words.processing(name) : words.title(name)}
      tone={isProcessing ? "plain" : "attention"}
    >
      <p>{words.text(page.plan.name)}</p>
      <Form method="post" className="row">
        <LinkButton kind="primary" to={paymentPath(open)}>
          {words.link}
        </LinkButton>
        {!isProcessing && (
          <Button name="intent" value="undo-change" pending={pending} pendingLabel={words.pending}>
            {words.giveUp}
          </Button>
        )}
      </Form>
    </SectionCard>
  );
}
