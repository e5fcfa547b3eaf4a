import { CARD_PROBLEMS } from "./card-fields.ts";
import { DETAILS_PROBLEMS } from "./details-fields.ts";

const PROBLEMS = new Map(Object.entries({ ...CARD_PROBLEMS, ...DETAILS_PROBLEMS }));

/** Words for what was wrong with a form, by the address that its answer leads to. */
export const problemIn = (problem: string | null): string | null => PROBLEMS.get(problem ?? "") ?? null;
