import { useRouteLoaderData } from "react-router";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import type { Route as SettingsRoute } from "../+types/layout";
import { settingsMessages } from "../messages.ts";
import type { PlanFacts } from "./plan-facts.ts";

/** Which plan, when and how much is charged next, or when it ends. */
export function PlanCard({ plan: { title, texts, tone, link, isDue } }: { plan: PlanFacts }) {
  const { due: dueMessages } = useMessages(settingsMessages);
  const due = useRouteLoaderData<SettingsRoute.ComponentProps["loaderData"]>("routes/settings/layout")?.due;
  return (
    <SectionCard
      title={title}
      tone={tone}
      footer={
        <LinkButton kind={link.kind} to={link.to}>
          {link.text}
        </LinkButton>
      }
    >
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {isDue && due && <p>{dueMessages.text(due.isLocked, due.until, due.lockedMeans)}</p>}
    </SectionCard>
  );
}
