import { describe, expect, test } from "vitest";
import { domainHash, mailboxHash, methodHash, methodHashesOf, ownDomainOf } from "./customer-hashes.rules.ts";

const pepper = "pepper";

describe("a hash", () => {
  test.each([
    ["mara+shop@example.com", "mara@example.com"],
    ["m.a.r.a@googlemail.com", "mara@gmail.com"],
    ["ma_ra@pm.me", "mara@proton.me"],
  ])("of the mailbox of %s equals that of %s", async (one, other) => {
    expect(await mailboxHash(pepper, one)).toBe(await mailboxHash(pepper, other));
  });

  test.each([
    ["m.ara@example.com", "mara@example.com"],
    ["mara@example.com", "mara@example.org"],
    ["mara@mail.example.com", "mara@example.com"],
  ])("of the mailbox of %s differs from that of %s", async (one, other) => {
    expect(await mailboxHash(pepper, one)).not.toBe(await mailboxHash(pepper, other));
  });

  test("differs by its use and by the pepper, and doesn't reveal its text", async () => {
    const text = "mara@example.com";
    const hashes = await Promise.all([
      mailboxHash(pepper, text),
      methodHash(pepper, text),
      domainHash(pepper, text),
      mailboxHash("salt", text),
      methodHash("salt", text),
      domainHash("salt", text),
    ]);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashes.filter((hash) => !/^[0-9a-z]{52}$/.test(hash))).toEqual([]);
  });
});

describe("a customer's payment methods", () => {
  const hashed = async (fingerprint: string, firstAt: number) => ({
    hash: await methodHash(pepper, fingerprint),
    firstAt,
  });

  test("are each hashed once, with the time of the first payment, in any order of payments", async () => {
    const payments = [
      { fingerprint: "visa", paidAt: 30 },
      { fingerprint: "iban", paidAt: 20 },
      { fingerprint: "visa", paidAt: 10 },
      { fingerprint: "visa", paidAt: 40 },
      { fingerprint: "iban", paidAt: 50 },
    ];
    const expected = [await hashed("visa", 10), await hashed("iban", 20)];
    for (const listed of [payments, payments.toReversed()]) {
      const hashes = await methodHashesOf(pepper, listed);
      expect(hashes).toHaveLength(2);
      expect(hashes).toEqual(expect.arrayContaining(expected));
    }
  });

  test("include a payment at time zero, and omit methods that can't be recognised", async () => {
    const payments = [
      { fingerprint: null, paidAt: 5 },
      { fingerprint: "visa", paidAt: 0 },
      { fingerprint: "visa", paidAt: 7 },
    ];
    expect(await methodHashesOf(pepper, payments)).toEqual([await hashed("visa", 0)]);
    expect(await methodHashesOf(pepper, [])).toEqual([]);
  });
});

describe("the domain of an address", () => {
  test.each([
    ["mara@example.com", "example.com"],
    ["mara@mail.example.com", "example.com"],
    ["mara@a.b.c.example.co.uk", "example.co.uk"],
    ["mara@lind.github.io", "github.io"],
    ["mara@xn--bcher-kva.example", "xn--bcher-kva.example"],
    // A suffix that is one registry's own name, and one that no list knows.
    ["mara@co.uk", "co.uk"],
    ["mara@intranet.lind", "intranet.lind"],
    // It only looks like a public provider's.
    ["mara@gmail.com.lind.example", "lind.example"],
    ["mara@notgmail.com", "notgmail.com"],
  ])("%s belongs to its owner alone: %s", async (address, domain) => {
    expect(await ownDomainOf(address)).toBe(domain);
  });

  test.each([
    "mara@gmail.com",
    "mara@googlemail.com",
    "mara@me.com",
    "mara@protonmail.ch",
    "mara@ya.ru",
    "mara@yahoo.co.uk",
    "mara@t-online.de",
    "mara@lind.posteo.de",
    "mara@eu.mail.ru",
  ])("%s belongs to a public email provider, whose users are unrelated", async (address) => {
    expect(await ownDomainOf(address)).toBeNull();
  });
});
