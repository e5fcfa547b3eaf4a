/** What a refund or a lost dispute means for a contract. */

/** Which order of a contract: the one that began it, a change of plan, or a change of a changed plan. */
export const contractStages = ["purchase", "change", "change-of-change"] as const;
/** Why: a declared withdrawal that an operator refunds, a refund without one, or a lost dispute. */
export type MoneyBackReason = "withdrawal" | "operator" | "dispute-lost";
/** How much of one order. */
export type HowMuch = "part" | "full";

export type ContractOutcome = {
  subscription: "continues" | "ends";
  /** What the site refunds of the contract's other orders: nothing, all that the withdrawal covers, or the unused part. */
  owed: "nothing" | "all" | "unused";
  /** Whether a declared withdrawal stays open or is settled. */
  declaration: "open" | "settled";
  /**
   * What the pages of all its orders show: withdrawing from the contract, withdrawing from what is left of it (nothing if nothing is),
   * that it was declared, or that the refund settled it.
   */
  offered: "withdrawal" | "withdrawal-of-rest" | "declared" | "settled";
};

/** Nothing was returned, or part of an order: that is a lower price. */
export const untouched = {
  subscription: "continues",
  owed: "nothing",
  declaration: "open",
  offered: "withdrawal",
} as const satisfies ContractOutcome;

const ends = { subscription: "ends", owed: "unused", declaration: "settled", offered: "withdrawal-of-rest" } as const;

/** The same for each stage: they are one contract. */
export const contractTable: Record<MoneyBackReason, Record<HowMuch, ContractOutcome>> = {
  withdrawal: {
    part: { ...untouched, offered: "declared" },
    full: { ...ends, owed: "all", offered: "settled" },
  },
  operator: { part: untouched, full: ends },
  "dispute-lost": { part: untouched, full: { ...ends, declaration: "open" } },
};
