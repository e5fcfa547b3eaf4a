import { isUsedUp, readMeters, type UsageValue } from "#app/modules/devices/usage.rules.ts";
import { namedPlan } from "#app/modules/catalogue/plan-names.messages.ts";
import { type ProductConfig, segmentPath } from "#app/modules/catalogue/rules.ts";
import { LinkButton } from "#app/ui/components/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/section-card.tsx";
import { GettingStarted } from "./getting-started.tsx";
import { overviewMessages } from "./messages.ts";

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
  const { devices: messages } = useMessages(overviewMessages);
  const { used, plan, full, path } = devices;
  if (used === 0) return plan && <GettingStarted start={start} folds />;
  if (!plan) {
    return (
      <SectionCard title={messages.title} footer={<LinkButton to={path}>{messages.see}</LinkButton>}>
        <p>{messages.idle(used, start.product)}</p>
      </SectionCard>
    );
  }
  const isOver = used > plan.seats;
  return (
    <SectionCard
      title={messages.title}
      tone={isOverLimit(devices) ? "attention" : "plain"}
      footer={<LinkButton to={path}>{isOver ? messages.choose : messages.see}</LinkButton>}
    >
      <p>{isOver ? messages.over(used, plan.name, plan.seats) : messages.used(used, plan.seats)}</p>
      {full.map((label) => (
        <p key={label}>{messages.full(label, plan.name)}</p>
      ))}
    </SectionCard>
  );
}
