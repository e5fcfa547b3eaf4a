import { CARD_PROBLEMS } from "./card-fields.ts";
import { DETAILS_PROBLEMS } from "./details-fields.ts";

const PROBLEMS = new Map(Object.entries({ ...CARD_PROBLEMS, ...DETAILS_PROBLEMS }));

/** Messages for what was wrong with a form, by the parameter in the URL of its redirect. */
export const problemIn = (problem: string | null): string | null => PROBLEMS.get(problem ?? "") ?? null;
