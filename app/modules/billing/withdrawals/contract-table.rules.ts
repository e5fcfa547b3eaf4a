/** What a refund or a lost dispute means for a contract. */

/** Which order of a contract: the one that began it, a change of plan, or a change of a changed plan. */
export const contractStages = ["purchase", "change", "change-of-change"] as const;
/** Why money went back: a declared withdrawal that an operator refunds, a refund without one, or a lost dispute. */
export type MoneyBackReason = "withdrawal" | "operator" | "dispute-lost";
/** How much of one order was returned. */
export type HowMuch = "part" | "full";

export type ContractOutcome = {
  subscription: "continues" | "ends";
  /** What the site refunds of the contract's other orders: nothing, all that the withdrawal covers, or the unused part. */
  owed: "nothing" | "all" | "unused";
  /** Whether a declared withdrawal stays open or is settled. */
  declaration: "open" | "settled";
  /**
   * What the pages of all the contract's orders show: an offer to withdraw from it, or from what is left of it (none if nothing is left),
   * that a withdrawal was declared, or that the refund settled it.
   */
  offered: "withdrawal" | "withdrawal-of-rest" | "declared" | "settled";
};

/** Nothing was returned, or only part of an order, which counts as a lower price. */
export const untouched = {
  subscription: "continues",
  owed: "nothing",
  declaration: "open",
  offered: "withdrawal",
} as const satisfies ContractOutcome;

const ends = { subscription: "ends", owed: "unused", declaration: "settled", offered: "withdrawal-of-rest" } as const;

/** The outcomes are the same for each stage, since the orders are one contract. */
export const contractTable: Record<MoneyBackReason, Record<HowMuch, ContractOutcome>> = {
  withdrawal: {
    part: { ...untouched, offered: "declared" },
    full: { ...ends, owed: "all", offered: "settled" },
  },
  operator: { part: untouched, full: ends },
  "dispute-lost": { part: untouched, full: { ...ends, declaration: "open" } },
};
