/** What money that went back means for a contract. The specification has this table; a test compares the two. */

/** Why: a declared withdrawal that an operator refunds, a refund without one, or a bank that decided for its customer. */
export type MoneyBackCause = "withdrawal" | "operator" | "dispute-lost";
/** How much of one order: nothing, a part, all of it. */
export type HowMuch = "nothing" | "part" | "full";

export type ContractOutcome = {
  plan: "goes-on" | "ends";
  /** What the site sends back of the contract's other orders: nothing; all that the withdrawal covers; what wasn't used. */
  owed: "nothing" | "all" | "unused";
  /** What is declared about it stays open, or is settled. */
  declaration: "open" | "settled";
};

const goesOn = { plan: "goes-on", owed: "nothing", declaration: "open" } as const satisfies ContractOutcome;

/** It is the same for a purchase, a change, and a change of a change: they are one contract. */
export const contractTable: Record<MoneyBackCause, Record<HowMuch, ContractOutcome>> = {
  withdrawal: { nothing: goesOn, part: goesOn, full: { plan: "ends", owed: "all", declaration: "settled" } },
  operator: { nothing: goesOn, part: goesOn, full: { plan: "ends", owed: "unused", declaration: "settled" } },
  "dispute-lost": { nothing: goesOn, part: goesOn, full: { plan: "ends", owed: "unused", declaration: "open" } },
};
