import { expect, test } from "vitest";
import { unmentionedVariables } from "./unmentioned-variables.ts";

const running = {
  PUBLIC_ORIGIN: "https://shop.example",
  MAIL_FROM: "hello@shop.example",
  LAUNCH_GATE: "none",
  EMAIL_SERVICE: "resend",
  SENTRY_RELEASE: "1",
  SOMETHING_ELSE: "1",
};

test("a variable that isn't mentioned stays as the Worker has it, except for the address and the release", () => {
  const vars = { MAIL_FROM: "shop@shop.example", EMAIL_SERVICE: "" };
  expect(unmentionedVariables({ vars, running, unset: [] })).toEqual({ LAUNCH_GATE: "none", EMAIL_SERVICE: "resend" });
});

test("one that is to be removed is", () => {
  expect(unmentionedVariables({ vars: {}, running, unset: ["LAUNCH_GATE", "MAIL_FROM"] })).toEqual({
    EMAIL_SERVICE: "resend",
  });
});
