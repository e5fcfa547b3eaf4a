import type { ComponentProps } from "react";
import { DevicesCard, isOverLimit } from "./devices.tsx";
import { PlanCard } from "./plan.tsx";

type PlanAndDevicesProps = Omit<ComponentProps<typeof PlanCard>, "product"> & ComponentProps<typeof DevicesCard>;

/** What waits for its owner stands first: a payment, then seats and limits; where nothing does, the plan. */
export function PlanAndDevices({ plan, planPath, account, devices, start }: PlanAndDevicesProps) {
  const money = <PlanCard key="plan" plan={plan} planPath={planPath} account={account} product={start.product} />;
  const seats = <DevicesCard key="devices" devices={devices} start={start} />;
  return isOverLimit(devices) && !plan.running?.isDue ? [seats, money] : [money, seats];
}
