import type { ComponentProps } from "react";
import { DevicesCard, isOverLimit } from "./devices.tsx";
import { PlanCard } from "./plan.tsx";

type PlanAndDevicesProps = ComponentProps<typeof PlanCard> & ComponentProps<typeof DevicesCard>;

/** What needs the owner's attention comes first: a payment, then seats and limits; otherwise the plan. */
export function PlanAndDevices({ plan, devices, start }: PlanAndDevicesProps) {
  const money = <PlanCard key="plan" plan={plan} />;
  const seats = <DevicesCard key="devices" devices={devices} start={start} />;
  return isOverLimit(devices) && !plan.isDue ? [seats, money] : [money, seats];
}
