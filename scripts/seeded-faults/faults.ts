import type { Fault } from "./fault.ts";
import { moduleFaults } from "./module-faults.ts";
import { platformFaults } from "./platform-faults.ts";
import { simulationFaults } from "./simulation-faults.ts";

export const faults: Fault[] = [...moduleFaults, ...platformFaults, ...simulationFaults];
