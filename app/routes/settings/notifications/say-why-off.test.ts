import { expect, test } from "vitest";
import { emailKinds } from "#app/modules/email/rules.ts";
import { returnedEmailsMessages } from "./messages.ts";
import { sayWhyOff } from "./say-why-off.ts";

const { bounced, complained } = returnedEmailsMessages.en;
const sent = { returned: null };
const all = [...emailKinds];

test("an email that came back explains why the optional ones are off", () => {
  expect(sayWhyOff(all, [sent, { returned: "bounced" }])).toBe(bounced);
  expect(sayWhyOff(all, [{ returned: "complained" }, { returned: "bounced" }])).toBe(complained);
});

test("nothing is explained where the owner chose, or where some are on", () => {
  expect(sayWhyOff(all, [sent])).toBeNull();
  expect(sayWhyOff(all.slice(1), [{ returned: "bounced" }])).toBeNull();
  expect(sayWhyOff([], [])).toBeNull();
});
