import { simulatedWaitlist } from "#app/features/waitlist/tools/simulated-waitlist.ts";
import type { SimulatedGate } from "./simulated-gate.ts";

/** What features add to the simulation, a line each. */
export const simulatedGates: readonly SimulatedGate[] = [simulatedWaitlist];
