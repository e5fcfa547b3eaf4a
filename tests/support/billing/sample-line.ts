import type { Line } from "#app/modules/billing/credit/rules.ts";

/** A line of the ledger with the given facts. */
export function sampleLine(facts: Partial<Line>): Line {
  return {
    id: "line_reward",
    kind: "earned",
    amountMinor: 500,
    currency: "EUR",
    why: "friend",
    referralId: null,
    invoiceId: null,
    owedMinor: 0,
    happenedAt: 0,
    expiresAt: null,
    customerId: null,
    providerId: null,
    askedBack: null,
    closedAt: null,
    ...facts,
  };
}
