import { describe, expect, test } from "vitest";
import { hourMs, secondMs } from "#app/core/time/time.ts";
import { gapOf, mailboxQuota, quotaNamesOf, strangerQuotas } from "./email-quotas.rules.ts";

const address = { emails: "emails-of-mara", tries: "tries-of-mara" };

describe("an address", () => {
  const quotas = [gapOf(address, "codes"), gapOf(address, "waitlist"), mailboxQuota(address.emails)];

  test("is counted under names that nothing else uses", () => {
    const names = [...quotas.map(({ name }) => name), address.tries];
    expect(new Set(names).size).toBe(names.length);
  });

  test("is erased under every name that it is counted under, and under no other address's names", () => {
    const names = quotaNamesOf(address);
    expect(names.toSorted()).toEqual([...quotas.map(({ name }) => name), address.tries].toSorted());
    const others = quotaNamesOf({ emails: "emails-of-nils", tries: "tries-of-nils" });
    expect(others.filter((name) => names.includes(name))).toEqual([]);
  });

  test("gets one email per form in half a minute, and five in an hour", () => {
    expect(quotas.slice(0, 2)).toMatchObject([
      { max: 1, windowMs: 30 * secondMs, reason: "too-soon" },
      { max: 1, windowMs: 30 * secondMs, reason: "too-soon" },
    ]);
    expect(mailboxQuota(address.emails)).toMatchObject({ max: 5, windowMs: hourMs, reason: "too-many-emails" });
  });
});

describe("an unknown browser's email counts", () => {
  const here = "2001:db8:1:2::1";
  const namesAt = async (ip: string, pepper = "pepper") => (await strangerQuotas(pepper, ip)).map(({ name }) => name);

  test.each<[ip: string, maxima: number[]]>([
    ["198.51.100.7", [20, 5000]],
    [here, [20, 40, 100, 1000, 5000]],
  ])("from %s against its networks and the site: %j", async (ip, maxima) => {
    const quotas = await strangerQuotas("pepper", ip);
    expect(quotas.map(({ max }) => max)).toEqual(maxima);
    expect(quotas.map(({ windowMs }) => windowMs)).toEqual(maxima.map(() => hourMs));
    const reasons = quotas.map(({ reason }) => reason);
    expect(reasons).toEqual([...maxima.slice(1).map(() => "too-many-from-network"), "too-many-from-site"]);
  });

  test.each([
    ["the same /64", "2001:db8:1:2:ffff::9", [20, 40, 100, 1000, 5000]],
    ["the same /56", "2001:db8:1:3::1", [40, 100, 1000, 5000]],
    ["the same /48", "2001:db8:1:102::1", [100, 1000, 5000]],
    ["the same /32", "2001:db8:2:2::1", [1000, 5000]],
    ["another network", "2001:db9:1:2::1", [5000]],
    ["an IPv4 network", "198.51.100.7", [5000]],
  ])("together with those from %s", async (_what, ip, maxima) => {
    const known = await namesAt(here);
    const shared = (await strangerQuotas("pepper", ip)).filter(({ name }) => known.includes(name));
    expect(shared.map(({ max }) => max)).toEqual(maxima);
  });

  test("of IPv4 for each address separately", async () => {
    const [one, site] = await namesAt("198.51.100.7");
    expect(await namesAt("198.51.100.8")).not.toContain(one);
    expect(await namesAt("198.51.100.8")).toContain(site);
  });

  test("under names that don't reveal the network and depend on the pepper", async () => {
    const names = await namesAt("198.51.100.7");
    expect(names.join(" ")).not.toContain("198.51");
    expect((await namesAt("198.51.100.7", "salt"))[0]).not.toBe(names[0]);
  });
});
