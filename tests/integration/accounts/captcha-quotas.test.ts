import { beforeEach, describe, expect, test } from "vitest";
import {
  type CaptchaProof,
  sendsUncheckedMax,
  sendsWithoutCaptchaMax,
  triesWithoutCaptchaMax,
} from "#app/modules/codes/captcha.rules.ts";
import { sendGapMs, sendsPerHourMax } from "#app/modules/codes/email-quotas.rules.ts";
import { hourMs } from "#app/core/time/time.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let app: TestApp;
let networks = 0;

beforeEach(async () => {
  app = testApp();
  await emptyTables("quota_uses", "emails", "codes");
});

/** From another network each time: only the address counts. */
async function ask(driver: CodeDriver, proof: CaptchaProof): Promise<string> {
  const answer = await driver.ask({ purpose: "sign-in", ip: `198.51.100.${(networks += 1)}`, proof });
  app.pass(sendGapMs + 1);
  return answer.ok ? "sent" : answer.refusal.reason;
}

async function askOften(driver: CodeDriver, proof: CaptchaProof, count: number): Promise<string[]> {
  const answers: string[] = [];
  for (let nth = 0; nth < count; nth += 1) answers.push(await ask(driver, proof));
  return answers;
}

const often = (text: string, count: number) => Array.from({ length: count }, () => text);

describe("emails to one mailbox", () => {
  test("need a captcha after a few, and with it get as many as without a captcha on the site", async () => {
    const driver = new CodeDriver(app, "mara@example.com");
    expect(await askOften(driver, "missing", sendsWithoutCaptchaMax)).toEqual(often("sent", sendsWithoutCaptchaMax));
    expect(await ask(driver, "missing")).toBe("captcha-wanted");
    expect(await ask(driver, "refused")).toBe("captcha-wanted");
    const left = sendsPerHourMax - sendsWithoutCaptchaMax;
    expect(await askOften(driver, "passed", left)).toEqual(often("sent", left));
    // A captcha wouldn't help any more.
    for (const proof of ["missing", "passed"] as const) expect(await ask(driver, proof)).toBe("too-many-emails");
  });

  test("need none where there is none", async () => {
    const driver = new CodeDriver(app, "mara@example.com");
    expect(await askOften(driver, "off", sendsPerHourMax)).toEqual(often("sent", sendsPerHourMax));
  });

  test("have room for one more while the provider gives no verdict", async () => {
    const driver = new CodeDriver(app, "mara@example.com");
    await askOften(driver, "missing", sendsWithoutCaptchaMax);
    const more = sendsUncheckedMax - sendsWithoutCaptchaMax;
    expect(await askOften(driver, "unavailable", more)).toEqual(often("sent", more));
    expect(await ask(driver, "unavailable")).toBe("captcha-wanted");
  });

  test("need none an hour later", async () => {
    const driver = new CodeDriver(app, "mara@example.com");
    await askOften(driver, "missing", sendsWithoutCaptchaMax + 1);
    app.pass(hourMs);
    expect(await ask(driver, "missing")).toBe("sent");
  });
});

test("after a few wrong codes for an address, another email needs a captcha", async () => {
  const driver = new CodeDriver(app, "mara@example.com");
  const { requestId, digits } = await driver.asked("sign-up");
  app.pass(sendGapMs + 1);
  const wrong = digits === "00000000" ? "00000001" : "00000000";
  for (let nth = 0; nth < triesWithoutCaptchaMax; nth += 1) await driver.prove(requestId, wrong);
  expect(await ask(driver, "missing")).toBe("captcha-wanted");
  expect(await ask(driver, "passed")).toBe("sent");
});
