import { expect, test } from "vitest";
import type { Health } from "#app/modules/operators/health.rules.ts";
import { checkCaptcha } from "./checks.ts";

test.each([
  ["on", { state: "ok" }],
  ["test", { state: "problem", text: expect.stringContaining("keys for tests") }],
  ["off", { state: "not checked" }],
] as const)("the doctor says of a site whose captcha is %s what follows", (captcha, verdict) => {
  const health = { status: 200, health: { captcha } as Health };
  expect(checkCaptcha({ health })).toMatchObject(verdict);
});
