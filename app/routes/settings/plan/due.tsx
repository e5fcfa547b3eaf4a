import { useLocation } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { PayDue } from "../pay-due.tsx";
import type { ShownOrder } from "../pick-rows.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { unconfirmedMessages } from "../unconfirmed.messages.ts";
import type { RunningPage } from "./page-data.ts";
import { Unconfirmed } from "./unconfirmed.tsx";

/** An unpaid renewal: the reason, until when everything works, and the way to pay it. */
export function Due({ page, due }: { page: RunningPage; due: ShownOrder }) {
  const unconfirmed = useMessages(unconfirmedMessages);
  const { pathname } = useLocation();
  if (due.isUnconfirmed) {
    return <Unconfirmed order={due} title={unconfirmed.titleOf(formatMoney(due, page.reader.locale))} />;
  }
  if (!page.texts.due) return null;
  const { title, tone, texts, action } = page.texts.due;
  return (
    <SectionCard title={title} tone={tone}>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {action.kind === "pay" ? (
        <>
          <PayDue payment={action.payment} planPath={pathname} />
          <p className="quiet">{action.note}</p>
        </>
      ) : (
        <LinkButton kind={action.isMain ? "primary" : "quiet"} to={action.to}>
          {action.label}
        </LinkButton>
      )}
    </SectionCard>
  );
}
