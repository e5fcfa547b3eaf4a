import { Form } from "react-router";
import { formatMoney } from "#app/domain/kernel/money.ts";
import { dayMs, formatDay } from "#app/domain/kernel/time.ts";
import { endsAtOnce, policies, unpaidGraceWindowMs } from "#app/domain/plans/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { useWords } from "#app/ui/language.ts";
import { SectionCard } from "#app/ui/section-card.tsx";
import { usePending } from "#app/ui/use-pending.ts";
import type { RunningPage } from "./plan.tsx";
import { planWords } from "./plan.words.ts";

/** One click ends the plan, and another takes that back. Why it was ended is asked afterwards, and nobody has to say. */
export function Ending({ page }: { page: RunningPage }) {
  return page.running.cancelsAt ? <Resume page={page} endsAt={page.running.cancelsAt} /> : <Cancel page={page} />;
}

function Cancel({ page }: { page: RunningPage }) {
  const words = useWords(planWords);
  const pending = usePending("intent", "cancel");
  const { running, account, freeName } = page;
  const isNow = endsAtOnce(running.state);
  const says = isNow ? words.endNow : words.cancel;
  return (
    <SectionCard title={says.title}>
      <p>
        {isNow
          ? words.endNow.text(freeName, running.state === "paused")
          : words.cancel.text(formatDay(running.periodEndsAt, account), lastCharge(page))}
      </p>
      {policies[running.state].needsPayment && <p>{words.endNow.graceUsed(unpaidGraceWindowMs / dayMs)}</p>}
      <Form method="post">
        <Button kind="danger" name="intent" value="cancel" pending={pending} pendingLabel={says.pending}>
          {says.button}
        </Button>
      </Form>
    </SectionCard>
  );
}

/** What is drawn already is charged all the same, within the hour. */
function lastCharge({ running, next, account }: RunningPage): string | null {
  return running.comingAt && next ? formatMoney(next, account.locale) : null;
}

function Resume({ page, endsAt }: { page: RunningPage; endsAt: number }) {
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
