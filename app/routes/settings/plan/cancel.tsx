import { Form } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import { endsAtOnce, policies, unpaidGraceWindowMs } from "#app/modules/subscriptions/rules.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Dialog } from "#app/ui/components/dialog.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { SectionCard } from "#app/ui/components/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { planWords } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";

/** Ends with its period, by one click that another one takes back; or at once, which is asked again, since it can't be. */
export function Cancel({ page }: { page: RunningPage }) {
  if (endsAtOnce(page.running.state)) return <EndNow page={page} />;
  return <CancelWithPeriod page={page} />;
}

function CancelWithPeriod({ page }: { page: RunningPage }) {
  const { cancel: words } = useWords(planWords);
  const pending = usePending("intent", "cancel");
  const { running, account, freeName, product } = page;
  return (
    <SectionCard title={words.title}>
      <p>
        {words.text(formatDay(running.periodEndsAt, account), lastCharge(page), freeName === null ? product : null)}
      </p>
      <Form method="post">
        <Button kind="danger" name="intent" value="cancel" pending={pending} pendingLabel={words.pending}>
          {words.button}
        </Button>
      </Form>
    </SectionCard>
  );
}

function EndNow({ page }: { page: RunningPage }) {
  const { endNow: words } = useWords(planWords);
  const pending = usePending("intent", "cancel");
  const { running, account, plan, freeName, product, due } = page;
  return (
    <SectionCard title={words.title}>
      <p>{freeName === null ? words.textNoPlan(product) : words.text(freeName)}</p>
      <Dialog
        id="end-plan"
        title={words.dialog(plan.name)}
        openLabel={words.open}
        openKind="danger"
        words={{ close: words.keep }}
        act={
          <Form method="post">
            <Button kind="danger" name="intent" value="cancel" pending={pending} pendingLabel={words.pending}>
              {words.button}
            </Button>
          </Form>
        }
      >
        <p>
          {freeName === null ? words.warningNoPlan(plan.name, product) : words.warning(plan.name, freeName)}{" "}
          {due && words.unpaid(formatMoney(due, account.locale))}
        </p>
        {policies[running.state].needsPayment && <p>{words.graceUsed(unpaidGraceWindowMs / dayMs)}</p>}
      </Dialog>
    </SectionCard>
  );
}

/** What is drawn already is charged all the same, within the hour. */
function lastCharge({ running, next, account }: RunningPage): string | null {
  return running.comingAt && next ? formatMoney(next, account.locale) : null;
}

/** Cancelled: when it ends, and the way to keep it. Why it was ended is asked afterwards, and needs no answer. */
export function Resume({ page, endsAt }: { page: RunningPage; endsAt: number }) {
  const { resume: words } = useWords(planWords);
  const pending = usePending("intent", "resume");
  const { account, plan, support } = page;
  const letter = `mailto:${support}?${new URLSearchParams({ subject: words.subject(plan.name) })}`;
  return (
    <SectionCard title={words.title(formatDay(endsAt, account))} tone="attention">
      <p>{words.text(lastCharge(page))}</p>
      <Form method="post">
        <Button kind="primary" name="intent" value="resume" pending={pending} pendingLabel={words.pending}>
          {words.button}
        </Button>
      </Form>
      <p className="quiet">
        {words.why} <a href={letter.replaceAll("+", "%20")}>{words.write}</a>.
      </p>
    </SectionCard>
  );
}
