import type { Deed } from "../../story.ts";

/** What must be true for an email to be written. Everything that is given must be. */
export type Cause = {
  /** An SQL condition that its row in the outbox, `m`, meets. */
  rows?: string;
  /** Someone did one of these before: the account's owner, or anyone if the address needs no account. */
  did?: { any: Deed["do"][]; by: "owner" | "anyone"; withinDays: number };
  /** The customer paid, or tried to, by one of these. */
  paidBy?: string[];
  /** The site knew of no hold on the charges. */
  isCharged?: true;
  hasFailedCharge?: true;
};

/** Days between a step and its email: longer than any form is held back. */
export const once = 1 / 24;

export const anyone = (...any: Deed["do"][]): Cause => ({ did: { any, by: "anyone", withinDays: once } });
export const never: Cause = { rows: "0" };
