/** What a refund or a lost dispute means for a contract. `docs/reference/states.md` is generated from this table. */

/** Which order of a contract: the one that began it, a change of plan, or a change of what was changed before. */
export const contractStages = ["purchase", "change", "change-of-change"] as const;
/** Why: a declared withdrawal that an operator refunds, a refund without one, or a bank that decided for its customer. */
export type MoneyBackCause = "withdrawal" | "operator" | "dispute-lost";
/** How much of one order. */
export type HowMuch = "part" | "full";

export type ContractOutcome = {
  plan: "goes-on" | "ends";
  /** What the site sends back of the contract's other orders: nothing; all that the withdrawal covers; what wasn't used. */
  owed: "nothing" | "all" | "unused";
  /** What is declared about it stays open, or is settled. */
  declaration: "open" | "settled";
  /**
   * What the pages of all its orders show: withdrawal from the contract, withdrawal for what is left of it (nothing when nothing is),
   * that it was declared, or that the refund settled it.
   */
  offered: "withdrawal" | "withdrawal-of-rest" | "declared" | "settled";
};

/** No money went back, or a part of an order: that is a lower price. */
export const untouched = {
  plan: "goes-on",
  owed: "nothing",
  declaration: "open",
  offered: "withdrawal",
} as const satisfies ContractOutcome;

const ends = { plan: "ends", owed: "unused", declaration: "settled", offered: "withdrawal-of-rest" } as const;

/** The same for each stage: they are one contract. */
export const contractTable: Record<MoneyBackCause, Record<HowMuch, ContractOutcome>> = {
  withdrawal: {
    part: { ...untouched, offered: "declared" },
    full: { ...ends, owed: "all", offered: "settled" },
  },
  operator: { part: untouched, full: ends },
  "dispute-lost": { part: untouched, full: { ...ends, declaration: "open" } },
};
