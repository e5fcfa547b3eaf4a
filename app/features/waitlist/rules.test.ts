import { gateName } from "#app/modules/catalogue/gate.rules.ts";
import { statesBefore } from "#app/core/states-before.ts";
import { describe, expect, test } from "vitest";
import { countedStates } from "./queue.rules.ts";
import {
  confirmToken,
  entryStates,
  entryToken,
  joinVerdict,
  linkVerdict,
  entryTransitions,
  checkGate,
  joinerOf,
} from "./rules.ts";

const now = 1_800_000_000_000;

describe("the states of an entry", () => {
  test("let an entry start again that left or had the plan, but not one that was rejected", () => {
    expect(entryTransitions.left).toEqual(["pending", "waiting"]);
    expect(entryTransitions.joined).toEqual(["waiting"]);
    expect(entryTransitions.rejected).toEqual([]);
  });

  test("can be left only where there is a place to give up", () => {
    expect(statesBefore(entryStates, entryTransitions, "left")).toEqual(["waiting", "invited", "resting"]);
  });

  test("count a friend only with a proven address, while the friend stays", () => {
    const uncounted = entryStates.filter((state) => !countedStates.some((counted) => counted === state));
    expect(uncounted).toEqual(["pending", "left", "rejected"]);
  });

  test("lead a known address to its place, except in the two states that start again", () => {
    const unchanged = entryStates.filter(
      (state) => joinVerdict({ state, confirmExpiresAt: now + 1 }, now) === "exists",
    );
    expect(unchanged).toEqual(["waiting", "invited", "joined", "resting", "rejected"]);
  });
});

describe("joining", () => {
  test("needs a gate, and room on the list", () => {
    expect(checkGate("plan:large", "open", "visitor")).toEqual({ ok: true, value: "plan:large" });
    expect(checkGate(null, "open", "visitor")).toEqual({ ok: false, refusal: { reason: "no-gate" } });
    expect(checkGate("plan:large", "full", "account")).toEqual({ ok: false, refusal: { reason: "list-full" } });
  });

  test("is refused for an account if the gate guards sign-up", () => {
    expect(checkGate("signup", "open", "visitor")).toEqual({ ok: true, value: "signup" });
    expect(checkGate("signup", "open", "account")).toEqual({ ok: false, refusal: { reason: "has-account" } });
  });

  test("is refused for a closed account, whatever the gate", () => {
    const accounts = [null, { state: "active" }, { state: "closed" }] as const;
    expect(accounts.map(joinerOf)).toEqual(["visitor", "account", "closed-account"]);
    for (const gate of [null, "signup", "plan:large"]) {
      expect(checkGate(gate, "full", "closed-account")).toEqual({ ok: false, refusal: { reason: "account-closed" } });
    }
  });

  test("starts again for an unknown, a left and an expired entry, exact to the millisecond", () => {
    expect(joinVerdict(null, now)).toBe("begin");
    expect(joinVerdict({ state: "left", confirmExpiresAt: now + 1 }, now)).toBe("begin");
    expect(joinVerdict({ state: "pending", confirmExpiresAt: now }, now)).toBe("begin");
    expect(joinVerdict({ state: "pending", confirmExpiresAt: now + 1 }, now)).toBe("again");
    expect(joinVerdict({ state: "waiting", confirmExpiresAt: now }, now)).toBe("exists");
  });
});

describe("an emailed link", () => {
  test("confirms until its last millisecond, and reports the outcome afterwards", () => {
    expect(linkVerdict({ state: "pending", confirmExpiresAt: now + 1 }, now)).toBe("open");
    expect(linkVerdict({ state: "pending", confirmExpiresAt: now }, now)).toBe("expired");
    expect(linkVerdict({ state: "waiting", confirmExpiresAt: now - 1 }, now)).toBe("confirmed");
    expect(linkVerdict({ state: "left", confirmExpiresAt: now + 1 }, now)).toBe("left");
  });

  test("contains 256 bits that can be computed again only for the same entry, use and pepper", async () => {
    const token = await entryToken("pepper", "ent_1");
    expect(token).toMatch(/^[0-9a-z]{52}$/);
    expect(await entryToken("pepper", "ent_1")).toBe(token);
    const others = [
      await confirmToken("pepper", "ent_1"),
      await entryToken("pepper", "ent_2"),
      await entryToken("another", "ent_1"),
    ];
    expect(new Set([token, ...others]).size).toBe(4);
  });
});

test("a gate is named after what it guards", () => {
  const product = { name: "Gull", plans: [{ id: "large", name: "Large" }] };
  expect(gateName(product, "plan:large")).toBe("Gull Large");
  expect(gateName(product, "signup")).toBe("Gull");
  expect(gateName(product, "plan:sold-no-more")).toBe("Gull");
});
