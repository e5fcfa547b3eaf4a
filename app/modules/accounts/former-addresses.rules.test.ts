import { describe, expect, test } from "vitest";
import { formerAddressHash, openFormerAddress, sealFormerAddress } from "./former-addresses.rules.ts";

const now = Date.UTC(2026, 10, 20, 12);
const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const app = { pepper: "pepper", random, clock: () => now };
const sealed = (email = "Mara.Lind@Bücher.example") => sealFormerAddress(app, { id: "acc_mara", email });

describe("a former address", () => {
  test("was the account's until now, and can be decrypted in its canonical form", async () => {
    const row = await sealed();
    expect(row).toMatchObject({ id: expect.stringMatching(/^adr_\w{26}$/), accountId: "acc_mara", leftAt: now });
    expect(await openFormerAddress("pepper", row)).toEqual({
      address: "mara.lind@xn--bcher-kva.example",
      leftAt: now,
    });
  });

  test("is found by an operator who knows it, in any spelling, and not by another address", async () => {
    const { addressHash } = await sealed();
    expect(addressHash).toBe(await formerAddressHash("pepper", "mara.lind@xn--bcher-kva.example"));
    expect(addressHash).toBe((await sealed("MARA.LIND@BÜCHER.example")).addressHash);
    expect(addressHash).not.toBe((await sealed("mara@example.com")).addressHash);
    expect(addressHash).not.toBe(await formerAddressHash("salt", "mara.lind@xn--bcher-kva.example"));
  });

  test("doesn't appear in its row, which differs each time", async () => {
    const [one, other] = [await sealed("mara@example.com"), await sealed("mara@example.com")];
    expect(`${JSON.stringify(one)} ${atob(one.sealed.split(".")[1] ?? "")}`).not.toMatch(/mara@|example/i);
    expect(one.sealed).not.toBe(other.sealed);
    expect(one.id).not.toBe(other.id);
  });

  test.each<[what: string, change: (box: string) => string]>([
    ["was altered", (box) => box.slice(0, -4) + (box.endsWith("AAAA") ? "BBBB" : "AAAA")],
    ["was cut", (box) => box.slice(0, -4)],
    ["is no base64", () => "!.!"],
    ["is empty", () => ""],
  ])("whose text %s can't be read, which prevents nothing else", async (_what, change) => {
    const row = await sealed();
    expect(await openFormerAddress("pepper", { ...row, sealed: change(row.sealed) })).toBeNull();
  });

  test("that was encrypted with another pepper can't be read", async () => {
    expect(await openFormerAddress("salt", await sealed())).toBeNull();
  });

  test("isn't stored if no account can have had it", async () => {
    await expect(sealed("mara")).rejects.toThrow("does not parse");
  });
});
