import { describe, expect, test } from "vitest";
import { type HistoryEventRow, historyOf } from "./history.rules.ts";

const row = (what: HistoryEventRow["what"], occurrence = "", amountMinor: number | null = null) => ({
  what,
  occurrence,
  amountMinor,
  happenedAt: 7,
});

describe("the timeline of an order", () => {
  test("shows states with the number of the attempt, money with its amount, emails with their subject", () => {
    const rows = [
      row("pending"),
      row("failed"),
      row("emailed", "failed.1"),
      row("failed", "2"),
      row("needs-action", "3"),
      row("emailed", "needs-action.3"),
      row("emailed", "processing"),
      row("paid"),
      row("emailed", "paid"),
      row("refund", "re_1", 200),
      row("emailed", "re_1"),
      row("refund-failed", "re_1", 200),
      row("dispute", "dp_1", 600),
      row("emailed", "dp_1"),
      row("dispute-lost", "dp_1", 600),
      row("emailed", "dp_1.lost"),
      row("emailed", "dp_1.won"),
      row("withdrawal", "wdr_1"),
      row("emailed", "withdrawal.wdr_1"),
      row("emailed", "something-else"),
    ];
    expect(
      historyOf(rows).map((timeline) => {
        expect(timeline.at).toBe(7);
        if (timeline.kind === "state") return `${timeline.state} ${timeline.tryNumber}`;
        if (timeline.kind === "money") return `${timeline.event} ${timeline.amountMinor}`;
        return timeline.kind === "emailed" ? `emailed ${timeline.about}` : timeline.kind;
      }),
    ).toEqual([
      "pending 1",
      "failed 1",
      "emailed failed",
      "failed 2",
      "needs-action 3",
      "emailed action",
      "emailed processing",
      "paid 1",
      "emailed receipt",
      "refund 200",
      "emailed refund",
      "refund-failed 200",
      "dispute 600",
      "emailed dispute",
      "dispute-lost 600",
      "emailed dispute-lost",
      "emailed dispute-won",
      "withdrawal",
      "emailed withdrawal",
      "emailed other",
    ]);
  });

  test("leaves out an unknown word", () => {
    // @ts-expect-error: a later release may have written it.
    expect(historyOf([row("dreamt")])).toEqual([]);
  });
});
