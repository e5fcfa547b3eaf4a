import { expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { holdsCode, resendableUntil } from "./failed-emails.rules.ts";
import type { EmailContent } from "./templates.rules.ts";

const createdAt = Date.UTC(2026, 10, 20, 12);

/** Doesn't compile while a template with a code is missing. */
const withCode = { code: true, "has-account": true } satisfies Record<
  Extract<EmailContent, { code: string }>["template"],
  true
>;

test.each(Object.keys(withCode))(
  "the text of the email %s is not stored once it has failed, since its code expires",
  (template) => {
    expect(holdsCode(template)).toBe(true);
    expect(resendableUntil({ template, isStored: true, createdAt })).toBeNull();
  },
);

test.each<EmailContent["template"]>(["no-account", "address-wanted", "receipt", "restored"])(
  "the email %s can be sent again for a week, while its text is stored",
  (template) => {
    expect(holdsCode(template)).toBe(false);
    expect(resendableUntil({ template, isStored: true, createdAt })).toBe(createdAt + 7 * dayMs);
    expect(resendableUntil({ template, isStored: false, createdAt })).toBeNull();
  },
);
