import { describe, expect, test } from "vitest";
import type { Code } from "#app/modules/codes/rules.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { checkNewAddress, checkRevert, revertLifeMs } from "./address-change.rules.ts";
import { reauthenticationMs, typedBefore, type Viewer } from "./rules.ts";

const now = Date.UTC(2026, 10, 20, 12);

function viewer(provenAt = now): Viewer {
  const account = { id: "acc_1", state: "active", email: "Mara@Example.com", name: null } as const;
  const session = {
    id: "ses_1" as const,
    device: "Firefox on Linux",
    place: null,
    lastUsedAt: now,
    expiresAt: now + 1,
  };
  return {
    account: { ...account, locale: "en", timeZone: "UTC", createdAt: 0, leavingUntil: null, emailsOff: [] },
    session: { ...session, provenAt },
    due: null,
  };
}

function asked(change: Partial<Code>): Code {
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

describe("asking for another address", () => {
  const judge = (text: string, provenAt = now) => {
    const address = parseEmailAddress(text);
    return address && checkNewAddress(viewer(provenAt), address, now);
  };

  test("needs a re-authentication, to the millisecond", () => {
    expect(judge("new@example.com", now - reauthenticationMs + 1)).toBeNull();
    expect(judge("new@example.com", now - reauthenticationMs)).toEqual({ reason: "proof-stale" });
  });

  test("with the address that the account has is refused before a proof is asked for", () => {
    for (const same of ["Mara@Example.com", "mara@example.COM", " MARA@example.com "]) {
      expect(judge(same, 0)).toEqual({ reason: "same-address" });
    }
  });
});

describe("taking a change back", () => {
  test("works for seven days and once, and not after an earlier change was taken back", () => {
    const revertExpiresAt = now + revertLifeMs;
    expect(checkRevert({ state: "changed", revertExpiresAt }, revertExpiresAt - 1)).toBeNull();
    expect(checkRevert({ state: "changed", revertExpiresAt }, revertExpiresAt)).toEqual({ reason: "link-expired" });
    expect(checkRevert({ state: "reverted", revertExpiresAt }, now)).toEqual({ reason: "link-used" });
    expect(checkRevert({ state: "overtaken", revertExpiresAt }, now)).toEqual({ reason: "link-overtaken" });
  });
});

describe("what was typed comes back", () => {
  test("as an address to be corrected, to the account that typed it and to no other", () => {
    expect(typedBefore(viewer(), asked({}), now)).toEqual({ email: "New@example.com" });
    expect(typedBefore(viewer(), asked({ accountId: "acc_2" }), now)).toEqual({});
    expect(typedBefore(viewer(), asked({ accountId: null }), now)).toEqual({});
    expect(typedBefore(viewer(), undefined, now)).toEqual({});
  });

  test("after a re-authentication, once that is done and while it is fresh", () => {
    const proof = asked({ purpose: "fresh-proof", state: "used", carried: { typed: { email: "new@example.com" } } });
    expect(typedBefore(viewer(), proof, now)).toEqual({ email: "new@example.com" });
    expect(typedBefore(viewer(now - reauthenticationMs), proof, now)).toEqual({});
    expect(typedBefore(viewer(), { ...proof, state: "issued" }, now)).toEqual({});
  });
});
