import * as v from "valibot";
import { expect, test } from "vitest";
import { confirmForm, entryForm, joinForm, joinKnownForm } from "./form.ts";

test("each form takes one field, and says what is wrong with it", () => {
  expect(v.safeParse(joinForm, { email: "a@example.com", intent: "join" }).success).toBe(true);
  expect(v.safeParse(joinForm, { email: "a@example.com" }).success).toBe(true);
  expect(v.safeParse(joinForm, { intent: "join" }).issues?.[0]?.message).toBe("email-missing");
  expect(v.safeParse(confirmForm, {}).issues?.[0]?.message).toBe("intent-unknown");
  expect(v.safeParse(entryForm, { intent: "join" }).issues?.[0]?.message).toBe("intent-unknown");
  expect(v.safeParse(joinKnownForm, { intent: "leave" }).issues?.[0]?.message).toBe("intent-unknown");
  expect(v.safeParse(joinKnownForm, { ref: "x".repeat(101) }).issues?.[0]?.message).toBe("too-long");
});
