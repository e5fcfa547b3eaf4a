import { describe, expect, test } from "vitest";
import type { Code } from "#app/modules/accounts/codes/rules.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { checkNewAddress, checkRevert, revertLifeMs } from "./address-change.rules.ts";
import { reauthenticationMs, typedBefore, type Viewer } from "./rules.ts";

const now = Date.UTC(2026, 10, 20, 12);

function viewer(provenAt = now): Viewer {
  const account = { id: "acc_1", state: "active", email: "Mara@Example.com", name: null } as const;
  const session = {
    id: "ses_1" as const,
    device: "Firefox on Linux",
    country: null,
    lastUsedAt: now,
    expiresAt: now + 1,
  };
  return {
    account: { ...account, locale: "en", timeZone: "UTC", createdAt: 0, restorableUntil: null, emailsOff: [] },
    session: { ...session, provenAt },
    due: null,
  };
}

function codeRequest(change: Partial<Code>): Code {
  const code = {
    id: "req_1" as const,
    address: "new@example.com",
    addressTyped: "New@example.com",
    codeHash: "",
    emailId: null,
  };
  const kind = { purpose: "change-email", state: "issued", browserHash: "", wrongTries: 0, carried: {} } as const;
  return { ...code, ...kind, accountId: "acc_1", createdAt: now, expiresAt: now + 1, ...change };
}

describe("requesting a new address", () => {
  const check = (text: string, provenAt = now) => {
    const address = parseEmailAddress(text);
    return address && checkNewAddress(viewer(provenAt), address, now);
  };

  test("needs a re-authentication, whose age is exact to the millisecond", () => {
    expect(check("new@example.com", now - reauthenticationMs + 1)).toBeNull();
    expect(check("new@example.com", now - reauthenticationMs)).toEqual({ reason: "proof-stale" });
  });

  test("is refused for the account's current address, before a re-authentication is required", () => {
    for (const same of ["Mara@Example.com", "mara@example.COM", " MARA@example.com "]) {
      expect(check(same, 0)).toEqual({ reason: "same-address" });
    }
  });
});

describe("reverting a change", () => {
  test("is possible once, for seven days, and not after an earlier change was reverted", () => {
    const revertExpiresAt = now + revertLifeMs;
    expect(checkRevert({ state: "changed", revertExpiresAt }, revertExpiresAt - 1)).toBeNull();
    expect(checkRevert({ state: "changed", revertExpiresAt }, revertExpiresAt)).toEqual({ reason: "link-expired" });
    expect(checkRevert({ state: "reverted", revertExpiresAt }, now)).toEqual({ reason: "link-used" });
    expect(checkRevert({ state: "overtaken", revertExpiresAt }, now)).toEqual({ reason: "link-overtaken" });
  });
});

describe("the typed address", () => {
  test("is filled in again for correction, only for the account that typed it", () => {
    expect(typedBefore(viewer(), codeRequest({}), now)).toEqual({ email: "New@example.com" });
    expect(typedBefore(viewer(), codeRequest({ accountId: "acc_2" }), now)).toEqual({});
    expect(typedBefore(viewer(), codeRequest({ accountId: null }), now)).toEqual({});
    expect(typedBefore(viewer(), undefined, now)).toEqual({});
  });

  test("is filled in again after a re-authentication, while that is recent", () => {
    const proof = codeRequest({
      purpose: "reauthentication",
      state: "used",
      carried: { typed: { email: "new@example.com" } },
    });
    expect(typedBefore(viewer(), proof, now)).toEqual({ email: "new@example.com" });
    expect(typedBefore(viewer(now - reauthenticationMs), proof, now)).toEqual({});
    expect(typedBefore(viewer(), { ...proof, state: "issued" }, now)).toEqual({});
  });
});
