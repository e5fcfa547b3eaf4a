import { describe, expect, test } from "vitest";
import { hourMs, secondMs } from "#app/core/time/time.ts";
import { declarationEmailQuotas, declarationNamesOf, declarationQuotas } from "./declaration-quotas.rules.ts";
import {
  gapOf,
  mailboxQuota,
  mailboxQuotasOf,
  networkPartOf,
  networkQuotas,
  quotaNamesOf,
  sendsFromNetworkMax,
  sendsPerHourMax,
  siteQuota,
} from "./email-quotas.rules.ts";

const address = { emails: "emails-of-mara", address: "tries-of-mara" };

describe("an address", () => {
  const quotas = [gapOf(address, "codes"), gapOf(address, "withdraw"), mailboxQuota(address.emails)];

  test("is counted under names that nothing else uses, each of which is erased with it", async () => {
    const parts = [
      ...(await mailboxQuotasOf("pepper", address.emails, "198.51.100.7")),
      { name: await networkPartOf("pepper", address.address, "198.51.100.7") },
    ];
    const names = new Set([...quotas, ...parts].map(({ name }) => name));
    expect(names.size).toBe(5);
    const erased = quotaNamesOf(address);
    for (const name of names)
      expect(erased.filter((one) => name === one || name.startsWith(`${one}.`))).toHaveLength(1);
  });

  test("gets one email per form in half a minute, and five in an hour", () => {
    expect(quotas.slice(0, 2)).toMatchObject([
      { max: 1, windowMs: 30 * secondMs, reason: "too-soon" },
      { max: 1, windowMs: 30 * secondMs, reason: "too-soon" },
    ]);
    expect(mailboxQuota(address.emails)).toMatchObject({ max: 5, windowMs: hourMs, reason: "too-many-emails" });
  });
});

describe("one network's part of a mailbox's emails", () => {
  const partOf = async (ip: string, emails = address.emails) => (await mailboxQuotasOf("pepper", emails, ip))[0];

  test("comes before the mailbox's own quota, and is never all of it", async () => {
    const quotas = await mailboxQuotasOf("pepper", address.emails, "198.51.100.7");
    expect(quotas.map(({ max }) => max)).toEqual([sendsFromNetworkMax, sendsPerHourMax]);
    expect(sendsFromNetworkMax).toBeLessThan(sendsPerHourMax);
    expect(quotas[1]).toEqual(mailboxQuota(address.emails));
  });

  test.each([
    ["198.51.100.7", "198.51.100.7", true],
    ["198.51.100.7", "198.51.100.8", false],
    ["2001:db8:1:2::1", "2001:db8:1:2:3::9", true],
    // Whoever holds a /48 holds all of its /64s.
    ["2001:db8:1:2::1", "2001:db8:1:ffff::1", true],
    ["2001:db8:1:2::1", "2001:db8:2:2::1", false],
  ])("is that of %s and of %s: %j", async (one, other, isSame) => {
    expect((await partOf(one)).name === (await partOf(other)).name).toBe(isSame);
    expect((await partOf(one)).name).not.toBe((await partOf(one, "emails-of-nils")).name);
  });
});

describe("a declaration", () => {
  const stranger = { ip: "198.51.100.7", isOwn: false };
  const site = { pepper: "pepper", product: {} };
  const namesOf = (quotas: readonly { name: string }[]) => quotas.map(({ name }) => name);

  test("counts against nothing but its declarer's network", async () => {
    const quotas = await declarationQuotas("pepper", "mara@example.com", stranger);
    expect(namesOf(quotas)).toEqual(namesOf(await declarationQuotas("pepper", "nils@example.com", stranger)));
    const elsewhere = await declarationQuotas("pepper", "mara@example.com", { ...stranger, ip: "198.51.100.8" });
    expect(namesOf(elsewhere).filter((name) => namesOf(quotas).includes(name))).toEqual([]);
    // Nor is it counted as an email.
    const emails = [...(await networkQuotas("pepper", stranger.ip)), siteQuota({})];
    expect(namesOf(emails).filter((name) => namesOf(quotas).includes(name))).toEqual([]);
  });

  test("has emails of its own for a mailbox, whatever its tags, and a reserve for its owner", async () => {
    const quotas = await declarationEmailQuotas(site, "mara@example.com", stranger);
    const tagged = await declarationEmailQuotas(site, "mara+shop@example.com", stranger);
    expect(namesOf(tagged)).toEqual(namesOf(quotas));
    const own = await declarationEmailQuotas(site, "mara@example.com", { ...stranger, isOwn: true });
    expect(namesOf(own).filter((name) => namesOf(quotas).includes(name))).toEqual([]);
  });

  test("is counted under no name of its address that isn't erased with it", async () => {
    const address = "mara@example.com";
    const owner = { ...stranger, isOwn: true };
    const ofAddress = [
      ...(await declarationQuotas("pepper", address, owner)),
      ...(await declarationEmailQuotas(site, address, owner)),
      ...(await declarationEmailQuotas(site, address, stranger)).filter(({ reason }) => reason === "too-many-emails"),
    ];
    const erased = await declarationNamesOf("pepper", address);
    expect(ofAddress).toHaveLength(4);
    for (const { name } of ofAddress)
      expect(erased.filter((one) => name === one || name.startsWith(`${one}.`))).toHaveLength(1);
  });
});

describe("an unknown browser's email counts", () => {
  const here = "2001:db8:1:2::1";
  const namesAt = async (ip: string, pepper = "pepper") => (await networkQuotas(pepper, ip)).map(({ name }) => name);

  test.each<[ip: string, maxima: number[]]>([
    ["198.51.100.7", [20]],
    [here, [20, 40, 100, 1000]],
  ])("from %s against its networks: %j", async (ip, maxima) => {
    const quotas = await networkQuotas("pepper", ip);
    expect(quotas.map(({ max }) => max)).toEqual(maxima);
    expect(quotas.map(({ windowMs }) => windowMs)).toEqual(maxima.map(() => hourMs));
    expect(quotas.map(({ reason }) => reason)).toEqual(maxima.map(() => "too-many-from-network"));
  });

  test.each([
    ["the same /64", "2001:db8:1:2:ffff::9", [20, 40, 100, 1000]],
    ["the same /56", "2001:db8:1:3::1", [40, 100, 1000]],
    ["the same /48", "2001:db8:1:102::1", [100, 1000]],
    ["the same /32", "2001:db8:2:2::1", [1000]],
    ["another network", "2001:db9:1:2::1", []],
    ["an IPv4 network", "198.51.100.7", []],
  ])("together with those from %s", async (_what, ip, maxima) => {
    const known = await namesAt(here);
    const shared = (await networkQuotas("pepper", ip)).filter(({ name }) => known.includes(name));
    expect(shared.map(({ max }) => max)).toEqual(maxima);
  });

  test("of IPv4 for each address separately", async () => {
    const [one] = await namesAt("198.51.100.7");
    expect(await namesAt("198.51.100.8")).not.toContain(one);
  });

  test("under names that don't reveal the network and depend on the pepper", async () => {
    const names = await namesAt("198.51.100.7");
    expect(names.join(" ")).not.toContain("198.51");
    expect((await namesAt("198.51.100.7", "salt"))[0]).not.toBe(names[0]);
  });

  test("with all strangers' as often as the config says", () => {
    expect(siteQuota({})).toMatchObject({ max: 5000, windowMs: hourMs, reason: "too-many-from-site" });
    expect(siteQuota({ emailLimits: { strangersPerHour: 90 } }).max).toBe(90);
  });
});
