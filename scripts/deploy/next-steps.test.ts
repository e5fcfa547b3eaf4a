import { expect, test } from "vitest";
import { nextSteps } from "./next-steps.ts";

const deployed = {
  origin: "https://try.company.com",
  name: "shop-staging",
  to: "staging",
  secretNames: ["OPERATOR_TOKEN"],
  problems: [],
};

test("a deployment ends with the way to a first payment", () => {
  expect(nextSteps(deployed)).toEqual([expect.stringContaining("https://try.company.com/set-up")]);
});

test("without the operators' token it says first how to get one", () => {
  expect(nextSteps({ ...deployed, secretNames: [] })[0]).toContain("npm run secrets -- --to staging");
});

test("without a sender it says where to set it", () => {
  const [what, where, how] = nextSteps({ ...deployed, problems: ["MAIL_FROM is missing"] });
  expect([what, where, how].join("\n")).toMatch(
    /MAIL_FROM.*503[^]*shop-staging[^]*secret put MAIL_FROM --name shop-staging/,
  );
});
