import type { ReactNode } from "react";
import { isOpen } from "#app/modules/billing/orders/states.rules.ts";
import type { ShownOrder } from "../pick-rows.ts";
import { Cancel, Resume } from "./cancel.tsx";
import { OpenChange, PendingChange } from "./change.tsx";
import { DeclaredEnd } from "./declared-end.tsx";
import { LatestOrders } from "./latest-orders.tsx";
import { Due } from "./due.tsx";
import { ExpiringCard } from "./expiring-card.tsx";
import { PlanGlance } from "./glance.tsx";
import { FirstPayment } from "./no-plan.tsx";
import type { RunningPage } from "./page-data.ts";
import { OpenWithdrawal } from "./open-withdrawal.tsx";
import { Paused } from "./paused.tsx";

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
