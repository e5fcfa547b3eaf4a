import type { Fault } from "./fault.ts";
import { accessFaults, moneyFaults } from "./money-and-access-faults.ts";
import { simulationFaults } from "./simulation-faults.ts";

export const faults: Fault[] = [...moneyFaults, ...accessFaults, ...simulationFaults];
