import { describe, expect, test } from "vitest";
import { free, large, small } from "#tests/support/billing/catalogue.ts";
import { product } from "#app/product/config.ts";
import { type Gate, gatedPlan, gateGuards, gateProblem, gateWord, readGate } from "./gate.rules.ts";

const read = (gate: string, override?: string) => readGate({ ...product, gate }, override);
const ofLarge: Gate = { kind: "plan", planId: large.id };

describe("the gate", () => {
  test.each<[word: string, gate: Gate]>([
    ["none", { kind: "none" }],
    ["signup", { kind: "signup" }],
    [`plan:${large.id}`, ofLarge],
  ])("%s is read from the config, and the variable takes precedence", (word, gate) => {
    expect(read(word)).toEqual(gate);
    expect(read(`plan:${small.id}`, word)).toEqual(gate);
    expect(read("broken", word)).toEqual(gate);
  });

  test("comes from the config while the variable is empty", () => {
    expect(read("signup", "")).toEqual({ kind: "signup" });
  });

  test.each([
    "open",
    "None",
    " signup",
    "plan",
    "plan:",
    "plan:no-such-plan",
    `plan: ${large.id}`,
    `plan:${large.id} `,
    `Plan:${large.id}`,
    large.id,
    "",
  ])("%j is invalid, and stops the deployment immediately", (word) => {
    expect(() => read(word)).toThrow(`"${word}"`);
    if (word !== "") expect(() => read("none", word)).toThrow(`"${word}"`);
  });

  test("is read as it was stored", () => {
    for (const gate of [{ kind: "signup" } as const, ofLarge]) expect(read("none", gateWord(gate) ?? "")).toEqual(gate);
    expect(gateWord({ kind: "none" })).toBeNull();
  });

  test("guards one plan, or none", () => {
    const guarded = (gate: Gate) => [small, large].filter(({ id }) => gateGuards(gate, id));
    expect(guarded(ofLarge)).toEqual([large]);
    expect(guarded({ kind: "signup" })).toEqual([]);
    expect(guarded({ kind: "none" })).toEqual([]);
  });
});

test.each([
  ["none", null],
  ["signup", null],
  [`plan:${large.id}`, null],
  ["plan:no-such-plan", "plan:<id> of one of the plans"],
  ["", "plan:<id> of one of the plans"],
  [`plan:${small.id}`, "isn't sold any more"],
  [`plan:${free.id}`, "which is free"],
])("%j can be a gate, or not because %s", (word, problem) => {
  const plans = product.plans.map((plan) => (plan.id === small.id ? { ...plan, sold: false as const } : plan));
  const found = gateProblem({ ...product, plans }, word);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});

test.each([
  [`plan:${large.id}`, large.id],
  ["plan:plan:x", "plan:x"],
  ["signup", null],
  ["planet", null],
  ["a-plan:x", null],
])("an entry for %s waits for the plan %s", (gate, planId) => {
  expect(gatedPlan(gate)).toBe(planId);
});
