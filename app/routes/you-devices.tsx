import type { Plan, ProductConfig } from "#app/domain/product/rules.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { useWords } from "#app/ui/language.ts";
import { SectionCard } from "#app/ui/section-card.tsx";
import { HandOver } from "./hand-over.tsx";
import { youWords } from "./you.words.ts";

type DevicesCardProps = {
  used: number;
  plan: Pick<Plan, "name" | "limits">;
  path: string;
  start: ProductConfig["start"] & { product: string };
};

/** How to get the product, until it runs somewhere; from then on where it runs, and whether there is a seat for each. */
export function DevicesCard({ used, plan, path, start }: DevicesCardProps) {
  const { devices: words } = useWords(youWords);
  const { devices: seats } = plan.limits;
  if (used === 0) return <HandOver start={start} folds />;
  const isOver = used > seats;
  return (
    <SectionCard
      title={words.title}
      tone={isOver ? "attention" : "plain"}
      footer={<LinkButton to={path}>{isOver ? words.choose : words.see}</LinkButton>}
    >
      <p>{isOver ? words.over(used, plan.name, seats) : words.used(used, seats)}</p>
    </SectionCard>
  );
}
