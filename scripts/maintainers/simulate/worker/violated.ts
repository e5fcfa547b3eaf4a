import type { Broken } from "../story.ts";

/** A deed ended in a way that the site promises never to end in: what it was is the violation. */
export class Violated extends Error {
  readonly broken: Broken;

  constructor(invariant: string, details: unknown) {
    super(invariant);
    this.broken = { invariant, details };
  }
}
