import type { Mutant } from "./mutant.ts";
import { accessMutants, moneyMutants } from "./money-and-access-mutants.ts";
import { waitlistMutants } from "#app/features/waitlist/tools/mutants.ts";
import { simulationMutants } from "./simulation-mutants.ts";

export const mutants: Mutant[] = [...moneyMutants, ...accessMutants, ...simulationMutants, ...waitlistMutants];
