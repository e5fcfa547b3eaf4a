import { describe, expect, test } from "vitest";
import type { Proof } from "#app/core/challenge.ts";
import {
  sendsOnlyWithChallenge,
  suspicionQuotas,
  triesUncheckedMax,
  triesWithoutChallengeMax,
} from "./challenge.rules.ts";
import {
  gapOf,
  mailboxQuotasOf,
  networkQuotas,
  sendsFromNetworkMax,
  sendsPerHourMax,
  siteQuota,
} from "./email-quotas.rules.ts";
import { triesPerHourMax } from "./rules.ts";

const ip = "2001:db8:1:2::1";
const address = { emails: "emails of mara", address: "mara", tries: "tries of mara" };
const full = [
  gapOf(address, "codes"),
  ...(await mailboxQuotasOf("pepper", address.emails, ip)),
  ...(await networkQuotas("pepper", ip)),
  siteQuota({}),
];
const toMailbox = [sendsFromNetworkMax - sendsOnlyWithChallenge, sendsPerHourMax - sendsOnlyWithChallenge];
const fullMax = new Map([...full.map(({ name, max }) => [name, max] as const), [address.tries, triesPerHourMax]]);
const maxima = (proof: Proof, tries: string | null = address.tries) =>
  suspicionQuotas(proof, full, tries).map(({ max }) => max);

describe("a form asks for a challenge", () => {
  test("never without one on this site, nor after one was solved", () => {
    expect(maxima("off")).toEqual([]);
    expect(maxima("passed")).toEqual([]);
  });

  test.each(["missing", "refused"] as const)(
    "with a token that is %s, from a few emails or wrong codes on",
    (proof) => {
      expect(maxima(proof)).toEqual([...toMailbox, 5, 10, 25, 250, 1250, triesWithoutChallengeMax]);
    },
  );

  test("later while the provider gives no verdict", () => {
    expect(maxima("unavailable")).toEqual([...toMailbox, 10, 20, 50, 500, 2500, triesUncheckedMax]);
  });

  test("never first, and always before the full quota refuses, counting the same uses in the same hour", () => {
    for (const proof of ["missing", "refused", "unavailable"] as const) {
      for (const quota of suspicionQuotas(proof, full, address.tries)) {
        expect(quota.max).toBeGreaterThan(1);
        expect(quota.max).toBeLessThan(fullMax.get(quota.name) ?? 0);
        expect(quota).toMatchObject({ reason: "challenge-wanted", windowMs: 3_600_000 });
      }
    }
  });

  test("never so early that one network's emails, with a challenge, leave a mailbox none without", () => {
    expect(sendsFromNetworkMax).toBeLessThan(sendsPerHourMax - sendsOnlyWithChallenge);
  });

  test("whatever the address, where the answer must not depend on it", () => {
    const names = suspicionQuotas("missing", full, null).map(({ name }) => name);
    expect(names).toEqual(full.slice(3).map(({ name }) => name));
  });
});
