import { describe, expect, test } from "vitest";
import { startOfDay } from "#app/core/time/calendar.ts";
import { hourMs } from "#app/core/time/time.ts";
import {
  isPlanWithdrawn,
  declarationName,
  isDeclaredByOwner,
  readMeantOrder,
  refundDueAt,
  refundDueOn,
  shownDeclaration,
  withdrawalTransitions,
  type Declared,
  type WithdrawalState,
  withdrawalsBefore,
} from "./withdrawals.rules.ts";

const berlin = { withdrawalDays: 14, timeZone: "Europe/Berlin" } as const;

describe("the order that a declaration refers to", () => {
  test.each([
    ["2026-000041", { year: 2026, inYear: 41 }],
    [" #2026-41 ", { year: 2026, inYear: 41 }],
    ["2026 – 000041", { year: 2026, inYear: 41 }],
    ["２０２６-000041", { year: 2026, inYear: 41 }],
    ["٢٠٢٦-٠٠٠٠٤١", { year: 2026, inYear: 41 }],
    ["۲۰۲۶-۰۰۰۰۴۱", { year: 2026, inYear: 41 }],
    ["2026-1000000", { year: 2026, inYear: 1_000_000 }],
    ["ord_0123456789abcdefghjkmnpqrs", { id: "ord_0123456789abcdefghjkmnpqrs" }],
    ["ORD_0123456789ABCDEFGHJKMNPQRS", { id: "ord_0123456789abcdefghjkmnpqrs" }],
    ["my subscription", null],
    ["000041", null],
    ["", null],
  ])("is found: %j is %j", (typed, meant) => {
    expect(readMeantOrder(typed)).toEqual(meant);
  });
});

test("a withdrawal ends refunded or contested, and continues when the bank returns the refund", () => {
  expect(withdrawalsBefore("refunded")).toEqual(["declared", "acknowledged"]);
  expect(withdrawalsBefore("contested")).toEqual(["declared", "acknowledged"]);
  expect(withdrawalTransitions.contested).toEqual([]);
  expect(withdrawalTransitions.refunded).toEqual(["declared", "acknowledged"]);
});

test("a declaration is counted under a name that contains no address", async () => {
  const email = { original: "Mara@example.com", canonical: "mara@example.com", deliverable: "Mara@example.com" };
  const names = await Promise.all([
    declarationName("pepper", { name: "Mara", order: "2026-1", email }, null),
    declarationName("pepper", { name: "Mara", order: "2026-2", email }, null),
    declarationName("pepper", { name: "Mara", order: "2026-1", email }, "acc_mara"),
  ]);
  expect(new Set(names).size).toBe(3);
  expect(JSON.stringify(names)).not.toContain("mara");
});

describe("the declaration that an order shows", () => {
  const row = (id: string, declaredBy: Declared["declaredBy"], state: WithdrawalState = "acknowledged") => ({
    id,
    declaredBy,
    state,
    declaredAt: 0,
    contestReason: null,
  });
  const shown = (...rows: ReturnType<typeof row>[]) => shownDeclaration(rows)?.id ?? null;

  test("is the owner's accepted one, otherwise the owner's unaccepted one, otherwise the newest of anyone", () => {
    expect(shown()).toBeNull();
    expect(shown(row("new", "anyone"), row("old", "anyone", "contested"))).toBe("new");
    expect(shown(row("new", "anyone"), row("old", "owner"))).toBe("old");
    expect(shown(row("new", "owner", "contested"), row("old", "mailbox"))).toBe("old");
    expect(shown(row("new", "anyone"), row("old", "mailbox", "contested"))).toBe("old");
  });

  test("removes the button only if the owner declared it, and it counts", () => {
    expect(isDeclaredByOwner(row("a", "owner"))).toBe(true);
    expect(isDeclaredByOwner(row("a", "mailbox", "refunded"))).toBe(true);
    expect(isDeclaredByOwner(row("a", "owner", "contested"))).toBe(false);
    expect(isDeclaredByOwner(row("a", "anyone"))).toBe(false);
  });
});

test("the refund is due by the end of the fourteenth day after the declaration, until it is answered", () => {
  const declared = { state: "acknowledged" as const, declaredAt: Date.UTC(2026, 10, 20, 22, 59) };
  expect(refundDueAt(declared, berlin)).toBe(Date.UTC(2026, 11, 4, 23));
  expect(refundDueAt({ ...declared, state: "contested" }, berlin)).toBeNull();
  expect(refundDueOn(null, berlin)).toBeNull();
  for (const timeZone of ["Europe/Berlin", "UTC", "America/Los_Angeles", "Pacific/Auckland"]) {
    const noon = startOfDay({ year: 2026, month: 11, day: 20 }, timeZone) + 12 * hourMs;
    const dueAt = refundDueAt({ state: "declared", declaredAt: noon }, { timeZone });
    expect([timeZone, refundDueOn(dueAt, { timeZone })]).toEqual([timeZone, "2026-12-04"]);
  }
});

test("a running plan is withdrawn from by an open withdrawal of an order paid since it began, not of one before", () => {
  const isWithdrawnBy = (state: WithdrawalState, paidAt: number | null) =>
    isPlanWithdrawn([{ state, paidAt, declaredBy: "owner" }], { startedAt: 1000 });
  expect(isWithdrawnBy("declared", 1000)).toBe(true);
  expect(isWithdrawnBy("acknowledged", 2000)).toBe(true);
  expect(isWithdrawnBy("declared", 999)).toBe(false);
  expect(isWithdrawnBy("declared", null)).toBe(false);
  expect([isWithdrawnBy("refunded", 2000), isWithdrawnBy("contested", 2000)]).toEqual([false, false]);
  const row = { state: "declared", paidAt: 1000, declaredBy: "mailbox" } as const;
  expect(isPlanWithdrawn([row], null)).toBe(false);
  // Anyone may know an order's number and address.
  const byAnyone = { ...row, declaredBy: "anyone" } as const;
  expect([row, byAnyone].map((each) => isPlanWithdrawn([each], { startedAt: 1000 }))).toEqual([true, false]);
});
