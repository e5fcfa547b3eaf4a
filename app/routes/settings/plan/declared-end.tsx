import { href } from "react-router";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import type { PlanPageFacts } from "./page-data.ts";

/** A cancellation was declared that isn't carried out yet: it is taken back on the page where it was declared. */
export function DeclaredEnd({ declared }: { declared: NonNullable<PlanPageFacts["declaredEnd"]> }) {
  return (
    <SectionCard
      title={declared.title}
      tone="attention"
      footer={<LinkButton to={href("/cancel")}>{declared.link}</LinkButton>}
    >
      <p>{declared.text}</p>
    </SectionCard>
  );
}
