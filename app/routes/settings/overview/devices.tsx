import { isUsedUp, readMeters, type UsageValue } from "#app/modules/devices/usage.rules.ts";
import { namedPlan } from "#app/modules/catalogue/plan-names.messages.ts";
import { type ProductConfig, segmentPath } from "#app/modules/catalogue/rules.ts";
import { LinkButton } from "#app/ui/components/button.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { SectionCard } from "#app/ui/components/section-card.tsx";
import { HandOver } from "./getting-started.tsx";
import { youWords } from "./messages.ts";

type Standing = { planId: string | undefined; used: number; usage: readonly UsageValue[]; month: string };

/** What this page says of devices, and of what they use. */
export function deviceFacts(product: ProductConfig, { planId, used, usage, month }: Standing) {
  const plan = namedPlan(product, planId);
  const meters = plan ? readMeters(product.meters, plan.limits, usage, month) : [];
  return {
    used,
    /** Null: no plan is in force. */
    plan: plan && { name: plan.name, seats: plan.limits.devices },
    /** Meters of which nothing is left. */
    full: meters.flatMap(({ label, limit, used: now }) => (now && isUsedUp(now.value, limit) ? [label] : [])),
    path: segmentPath(product, "account"),
  };
}

export type DeviceFacts = ReturnType<typeof deviceFacts>;

/** Something about devices waits for their owner. */
export function isOverLimit({ used, plan, full }: DeviceFacts): boolean {
  return plan !== null && used > 0 && (used > plan.seats || full.length > 0);
}

type DevicesCardProps = { devices: DeviceFacts; start: ProductConfig["start"] & { product: string } };

/**
 * How to get the product, until it runs somewhere; from then on where it runs, and whether there is enough of the plan for it. Without
 * a plan, devices that wait for one.
 */
export function DevicesCard({ devices, start }: DevicesCardProps) {
  const { devices: words } = useWords(youWords);
  const { used, plan, full, path } = devices;
  if (used === 0) return plan && <HandOver start={start} folds />;
  if (!plan) {
    return (
      <SectionCard title={words.title} footer={<LinkButton to={path}>{words.see}</LinkButton>}>
        <p>{words.idle(used, start.product)}</p>
      </SectionCard>
    );
  }
  const isOver = used > plan.seats;
  return (
    <SectionCard
      title={words.title}
      tone={isOverLimit(devices) ? "attention" : "plain"}
      footer={<LinkButton to={path}>{isOver ? words.choose : words.see}</LinkButton>}
    >
      <p>{isOver ? words.over(used, plan.name, plan.seats) : words.used(used, plan.seats)}</p>
      {full.map((label) => (
        <p key={label}>{words.full(label, plan.name)}</p>
      ))}
    </SectionCard>
  );
}
