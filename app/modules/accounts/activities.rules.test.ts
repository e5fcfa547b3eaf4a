import { describe, expect, test } from "vitest";
import { type ActivityName, activityFacts, activityNames, needsOwnActivity, newActivity } from "./activities.rules.ts";

const now = Date.UTC(2026, 10, 20, 12);
let randomBytes = 0;
/** Sixteen bytes that no other id has. */
const random = (count: number) => new Uint8Array(count).fill((randomBytes += 1));
const app = { random, clock: () => now, network: "198.51.100.0/24" };

describe("a row of the activity log", () => {
  test("contains the action, the time, the method and the network, and no reason", () => {
    expect(activityFacts(app, "passkey-added")).toEqual({
      id: expect.stringMatching(/^act_\w{26}$/),
      what: "passkey-added",
      result: "done",
      reason: null,
      method: "session",
      network: "198.51.100.0/24",
      now,
    });
  });

  test("contains the reason of a refused attempt", () => {
    expect(activityFacts(app, "signed-in", "code-wrong")).toMatchObject({ result: "refused", reason: "code-wrong" });
    // An empty reason is a reason as well.
    expect(activityFacts(app, "signed-in", "")).toMatchObject({ result: "refused", reason: "" });
  });

  test.each<[ActivityName, string]>([
    ["signed-in", "code"],
    ["signed-in-by-passkey", "passkey"],
    ["address-reverted", "link"],
    ["plan-cancelled", "session"],
  ])("about %s has its usual method, %s, unless another one is given", (what, method) => {
    expect(activityFacts(app, what).method).toBe(method);
    expect(activityFacts(app, what, null, "automatic").method).toBe("automatic");
  });

  test("has a distinct id, even within one millisecond", () => {
    expect(activityFacts(app, "signed-in").id).not.toBe(activityFacts(app, "signed-in").id);
  });

  test("records that the network is unknown", () => {
    expect(activityFacts({ ...app, network: null }, "signed-in").network).toBeNull();
  });

  test("of a session has the session's id, refused or not", () => {
    expect(newActivity(app, "ses_1", "passkey-removed")).toMatchObject({ sessionId: "ses_1", result: "done" });
    expect(newActivity(app, "ses_1", "passkey-removed", "name-empty")).toMatchObject({
      sessionId: "ses_1",
      what: "passkey-removed",
      result: "refused",
      reason: "name-empty",
    });
  });
});

describe("a row outside of the action's own batch", () => {
  test("is written for every refusal", () => {
    expect(activityNames.filter((what) => !needsOwnActivity(what, false))).toEqual([]);
  });

  test("is written for actions that Stripe carries out", () => {
    for (const what of ["plan-cancelled", "plan-changed", "payment-retried", "checkout-opened"] as const) {
      expect([what, needsOwnActivity(what, true)]).toEqual([what, true]);
    }
  });

  test("is not written for actions in our own database, which would be logged twice", () => {
    for (const what of [
      "signed-up",
      "signed-in",
      "address-changed",
      "passkey-removed",
      "withdrawal-declared",
    ] as const) {
      expect([what, needsOwnActivity(what, true)]).toEqual([what, false]);
    }
  });
});
