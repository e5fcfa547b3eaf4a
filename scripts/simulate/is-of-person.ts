import type { PersonStep, Step } from "./story.ts";

/** A step of someone, not of the world around them. */
export const isOfPerson = (step: Step): step is PersonStep => "who" in step;
