import type { Deed, Circumstances, Step } from "./story.ts";

export const dayMinutes = 24 * 60;

type Unnumbered<One> = One extends unknown ? Omit<One, "id"> : never;
/** A step before the story numbers it. */
export type PlannedStep = Unnumbered<Step>;

/** Plans a deed of someone, `at` minutes after the story began, unless the story is over by then. */
export type Add = (at: number, deed: Deed, extra?: Circumstances) => void;

export function addFor(steps: PlannedStep[], who: string, days: number): Add {
  return (at, deed, extra = {}) => {
    if (at <= days * dayMinutes) steps.push({ at: Math.floor(at), who, ...deed, ...extra } as PlannedStep);
  };
}
