import type { PersonStep, Step } from "./story.ts";

/** Whether a step is someone's and not the world's around them. */
export const isOfPerson = (step: Step): step is PersonStep => "who" in step;
