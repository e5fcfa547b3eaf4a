import { isUsedUp, readMeters, type UsageValue } from "#app/modules/devices/usage.rules.ts";
import { namedPlan } from "#app/modules/catalogue/plan-names.messages.ts";
import { type ProductConfig, segmentPath } from "#app/modules/catalogue/rules.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { GettingStarted } from "./getting-started.tsx";
import { overviewMessages } from "./messages.ts";

type Counts = { planId: string | undefined; used: number; usage: readonly UsageValue[]; month: string };

/** The overview's summary of devices and their usage. */
export function deviceFacts(product: ProductConfig, { planId, used, usage, month }: Counts) {
  const plan = namedPlan(product, planId);
  const meters = plan ? readMeters(product.meters, plan.limits, usage, month) : [];
  return {
    used,
    /** Null: no active plan. */
    plan: plan && { name: plan.name, seats: plan.limits.devices },
    /** Meters at their limit. */
    full: meters.flatMap(({ label, limit, used: now }) => (now && isUsedUp(now.value, limit) ? [label] : [])),
    path: segmentPath(product, "account"),
  };
}

export type DeviceFacts = ReturnType<typeof deviceFacts>;

/** Something about devices needs the owner's attention. */
export function isOverLimit({ used, plan, full }: DeviceFacts): boolean {
  return plan !== null && used > 0 && (used > plan.seats || full.length > 0);
}

type DevicesCardProps = { devices: DeviceFacts; start: ProductConfig["start"] & { product: string } };

/**
 * How to get the product, until it is activated on a device; from then on the devices, and whether the plan's limits suffice. Without a
 * plan, the devices that wait for one.
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
