import { statesBefore } from "#app/core/states-before.ts";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { countedStates } from "./queue.rules.ts";
import {
  confirmForm,
  confirmToken,
  entryForm,
  entryStates,
  entryToken,
  gateName,
  joinForm,
  joinKnownForm,
  joinVerdict,
  linkVerdict,
  transitions,
  newShareCode,
  openGate,
  whoAsks,
} from "./rules.ts";

const now = 1_800_000_000_000;

describe("the states of an entry", () => {
  test("let an entry start again that left or had the plan, but not one that was rejected", () => {
    expect(transitions.left).toEqual(["pending", "waiting"]);
    expect(transitions.joined).toEqual(["waiting"]);
    expect(transitions.rejected).toEqual([]);
  });

  test("can be left only where there is a place to give up", () => {
    expect(statesBefore(entryStates, transitions, "left")).toEqual(["waiting", "invited", "resting"]);
  });

  test("count a friend only with a proven address, while the friend stays", () => {
    const uncounted = entryStates.filter((state) => !countedStates.some((counted) => counted === state));
    expect(uncounted).toEqual(["pending", "left", "rejected"]);
  });

  test("send a known address to its place in every state but the two that start again", () => {
    const unchanged = entryStates.filter(
      (state) => joinVerdict({ state, confirmExpiresAt: now + 1 }, now) === "exists",
    );
    expect(unchanged).toEqual(["waiting", "invited", "joined", "resting", "rejected"]);
  });
});

describe("joining", () => {
  test("needs a gate, and room on the list", () => {
    expect(openGate("plan:large", "open", "visitor")).toEqual({ ok: true, value: "plan:large" });
    expect(openGate(null, "open", "visitor")).toEqual({ ok: false, refusal: { reason: "no-gate" } });
    expect(openGate("plan:large", "full", "account")).toEqual({ ok: false, refusal: { reason: "list-full" } });
  });

  test("is not for an account where sign-up is what one waits for", () => {
    expect(openGate("signup", "open", "visitor")).toEqual({ ok: true, value: "signup" });
    expect(openGate("signup", "open", "account")).toEqual({ ok: false, refusal: { reason: "has-account" } });
  });

  test("is not for a closed account, whatever the gate", () => {
    expect([null, { state: "active" }, { state: "leaving" }].map(whoAsks)).toEqual([
      "visitor",
      "account",
      "pending-deletion",
    ]);
    for (const gate of [null, "signup", "plan:large"]) {
      expect(openGate(gate, "full", "pending-deletion")).toEqual({ ok: false, refusal: { reason: "account-leaving" } });
    }
  });

  test("starts again for an unknown, a left and an expired entry, exact at the edge", () => {
    expect(joinVerdict(null, now)).toBe("begin");
    expect(joinVerdict({ state: "left", confirmExpiresAt: now + 1 }, now)).toBe("begin");
    expect(joinVerdict({ state: "pending", confirmExpiresAt: now }, now)).toBe("begin");
    expect(joinVerdict({ state: "pending", confirmExpiresAt: now + 1 }, now)).toBe("again");
    expect(joinVerdict({ state: "waiting", confirmExpiresAt: now }, now)).toBe("exists");
  });

  test("takes one field, and says what is wrong with it", () => {
    const email = v.pipe(
      v.string(),
      v.nonEmpty("email-missing"),
      v.transform((text) => parseEmailAddress(text) ?? { original: "", canonical: "", deliverable: "" }),
    );
    expect(v.safeParse(joinForm(email), { email: "a@example.com", intent: "join" }).success).toBe(true);
    expect(v.safeParse(joinForm(email), { email: "a@example.com" }).success).toBe(true);
    expect(v.safeParse(joinForm(email), { intent: "join" }).issues?.[0]?.message).toBe("email-missing");
    expect(v.safeParse(confirmForm, {}).issues?.[0]?.message).toBe("intent-unknown");
    expect(v.safeParse(entryForm, { intent: "join" }).issues?.[0]?.message).toBe("intent-unknown");
    expect(v.safeParse(joinKnownForm, { intent: "leave" }).issues?.[0]?.message).toBe("intent-unknown");
    expect(v.safeParse(joinKnownForm, { ref: "x".repeat(101) }).issues?.[0]?.message).toBe("too-long");
  });
});

describe("a link", () => {
  test("confirms until its last millisecond, and says what became of it afterwards", () => {
    expect(linkVerdict({ state: "pending", confirmExpiresAt: now + 1 }, now)).toBe("open");
    expect(linkVerdict({ state: "pending", confirmExpiresAt: now }, now)).toBe("expired");
    expect(linkVerdict({ state: "waiting", confirmExpiresAt: now - 1 }, now)).toBe("confirmed");
    expect(linkVerdict({ state: "left", confirmExpiresAt: now + 1 }, now)).toBe("left");
  });

  test("carries 256 bits that can be made again for the same entry, and for no other use, entry or pepper", async () => {
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

  test("shares a code of ten letters that can be read out", () => {
    expect(newShareCode(() => new Uint8Array(7).fill(255))).toBe("zzzzzzzzzz");
  });
});

test("a gate is called by what it guards", () => {
  const product = { name: "Gull", plans: [{ id: "large", name: "Large" }] };
  expect(gateName(product, "plan:large")).toBe("Gull Large");
  expect(gateName(product, "signup")).toBe("Gull");
  expect(gateName(product, "plan:sold-no-more")).toBe("Gull");
});
