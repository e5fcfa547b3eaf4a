import { beforeEach, describe, expect, test } from "vitest";
import type { Proof } from "#app/core/challenge.ts";
import { sendsOnlyWithChallenge, triesWithoutChallengeMax } from "#app/modules/accounts/codes/challenge.rules.ts";
import { sendGapMs, sendsFromNetworkMax, sendsPerHourMax } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { hourMs } from "#app/core/time/time.ts";
import { CodeDriver, wrongDigits } from "#tests/support/clients/code-driver.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

const sendsWithoutChallengeMax = sendsPerHourMax - sendsOnlyWithChallenge;

let app: TestApp;
let networks = 0;

beforeEach(async () => {
  app = testApp();
  await emptyTables("quota_uses", "emails", "codes");
});

/** From another network each time: only the address counts. */
async function ask(driver: CodeDriver, proof: Proof): Promise<string> {
  const answer = await driver.ask({ purpose: "sign-in", ip: `198.51.100.${(networks += 1)}`, proof });
  app.pass(sendGapMs + 1);
  return answer.ok ? "sent" : answer.refusal.reason;
}

async function askOften(driver: CodeDriver, proof: Proof, count: number): Promise<string[]> {
  const answers: string[] = [];
  for (let nth = 0; nth < count; nth += 1) answers.push(await ask(driver, proof));
  return answers;
}

const often = (text: string, count: number) => Array.from({ length: count }, () => text);

describe("emails to one mailbox", () => {
  test("need a challenge after a few, and with it get as many as without one on the site", async () => {
    const driver = new CodeDriver(app, "mara@example.com");
    expect(await askOften(driver, "missing", sendsWithoutChallengeMax)).toEqual(
      often("sent", sendsWithoutChallengeMax),
    );
    expect(await ask(driver, "missing")).toBe("challenge-wanted");
    expect(await ask(driver, "refused")).toBe("challenge-wanted");
    const left = sendsPerHourMax - sendsWithoutChallengeMax;
    expect(await askOften(driver, "passed", left)).toEqual(often("sent", left));
    // A challenge wouldn't help any more.
    for (const proof of ["missing", "passed"] as const) expect(await ask(driver, proof)).toBe("too-many-emails");
  });

  test("need none where there is none", async () => {
    const driver = new CodeDriver(app, "mara@example.com");
    expect(await askOften(driver, "off", sendsPerHourMax)).toEqual(often("sent", sendsPerHourMax));
  });

  test("need one sooner where they all come from one network, which then still leaves some without one to others", async () => {
    const owner = new CodeDriver(app, "mara@example.com");
    const from = async (ip: string, proof: Proof) => {
      const answer = await owner.ask({ purpose: "sign-in", ip, proof });
      app.pass(sendGapMs + 1);
      return answer.ok ? "sent" : answer.refusal.reason;
    };
    const there = "203.0.113.7";
    for (let nth = sendsOnlyWithChallenge; nth < sendsFromNetworkMax; nth += 1)
      expect(await from(there, "missing")).toBe("sent");
    expect([await from(there, "missing"), await from(there, "unavailable")]).toEqual(often("challenge-wanted", 2));
    expect(await from(there, "passed")).toBe("sent");
    expect(await from(there, "passed")).toBe("too-many-emails");
    expect(await from("203.0.113.8", "missing")).toBe("sent");
  });

  test("need none an hour later", async () => {
    const driver = new CodeDriver(app, "mara@example.com");
    await askOften(driver, "missing", sendsWithoutChallengeMax + 1);
    app.pass(hourMs);
    expect(await ask(driver, "missing")).toBe("sent");
  });
});

test("after a few wrong codes for an address, another email needs a challenge, but not from another network", async () => {
  const driver = new CodeDriver(app, "mara@example.com");
  const { requestId } = await driver.asked("sign-up");
  app.pass(sendGapMs + 1);
  for (let nth = 0; nth < triesWithoutChallengeMax; nth += 1) await driver.prove(requestId, wrongDigits());
  expect(await driver.ask({ proof: "missing" })).toMatchObject({ refusal: { reason: "challenge-wanted" } });
  expect(await driver.ask({ proof: "passed" })).toMatchObject({ ok: true });
  app.pass(sendGapMs + 1);
  expect(await ask(driver, "missing")).toBe("sent");
});
