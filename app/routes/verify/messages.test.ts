import { expect, test } from "vitest";
import { minuteMs } from "#app/core/time/time.ts";
import { codeLifeMs } from "#app/modules/codes/rules.ts";
import { verifyMessages } from "./messages.ts";

test("a code is valid for as long as the page says", () => {
  const inEnglish: Record<number, string> = { 5: "five", 10: "ten", 15: "fifteen", 20: "twenty", 30: "thirty" };
  const minutes = codeLifeMs / minuteMs;
  const { late, lapsed } = verifyMessages.en.heldUp;
  for (const text of [late.text, lapsed.title]) expect(text).toContain(` ${inEnglish[minutes] ?? minutes} minutes`);
});
