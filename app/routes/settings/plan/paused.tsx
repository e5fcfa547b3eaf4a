import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import type { RunningPage } from "./page-data.ts";

type PausedProps = { page: RunningPage; paused: NonNullable<RunningPage["texts"]["paused"]> };

/** Nothing is charged. To continue, the customer buys the plan or asks the team. */
export function Paused({ page: { open }, paused: { title, texts, link } }: PausedProps) {
  return (
    <SectionCard title={title} tone="attention">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {link && open?.state !== "processing" && (
        <LinkButton kind={open ? "quiet" : "primary"} to={link.to}>
          {link.text}
        </LinkButton>
      )}
    </SectionCard>
  );
}
