import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mailboxOf, maskEmailAddress, parseEmailAddress } from "./email-address.ts";

describe("an email address", () => {
  test.each([
    ["Mara@Example.COM", "mara@example.com"],
    ["  mara@example.com  ", "mara@example.com"],
    ["mara+gull@example.com", "mara+gull@example.com"],
    ["mara@bücher.example", "mara@xn--bcher-kva.example"],
    ["mara@XN--BCHER-KVA.example", "mara@xn--bcher-kva.example"],
    ["jo\u0308rg@example.com", "j\u00f6rg@example.com"],
  ])("%s has one canonical form", (typed, canonical) => {
    expect(parseEmailAddress(typed)?.canonical).toBe(canonical);
  });

  test.each([
    "",
    "mara",
    "@example.com",
    "mara@",
    "mara@example",
    "mara@@example.com",
    "mara@exa mple.com",
    "mara\uff20example.com",
    "mara\ufe6bexample.com",
    "mara@example.com\r\nBcc: all@example.com",
    "mara\u2028@example.com",
    "mara\u0000@example.com",
    "mara@example.com\u200b",
    "mara@exam\u00adple.com",
    "mara@exam\u2060ple.com",
    "ma\u200dra@example.com",
    "ma\u3164ra@example.com",
    "mara@127.0.0.1",
    "mara@example.com:80",
    "mara@example.com/x",
    ".mara@example.com",
    "ma..ra@example.com",
    `${"m".repeat(65)}@example.com`,
    `mara@${"e".repeat(250)}.com`,
  ])("%j is refused", (typed) => {
    expect(parseEmailAddress(typed)).toBeNull();
  });

  test("keeps the typed form beside the canonical one", () => {
    expect(parseEmailAddress("Mara@Example.com")).toEqual({
      original: "Mara@Example.com",
      canonical: "mara@example.com",
      deliverable: "Mara@example.com",
    });
    expect(parseEmailAddress("jörg@straße.example")?.deliverable).toBe("jörg@xn--strae-oqa.example");
  });

  test("is masked to its first letter and its domain", () => {
    expect(maskEmailAddress("mara@example.com")).toBe("m•••@example.com");
  });

  test("is unchanged when it is read a second time", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (typed) => {
        const once = parseEmailAddress(typed);
        if (once) expect(parseEmailAddress(once.canonical)?.canonical).toBe(once.canonical);
      }),
    );
  });

  test("never contains a line break or a control character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const parsed = parseEmailAddress(`a${text}@example.com`);
        if (parsed) expect(parsed.original).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      }),
    );
  });
});

describe("the mailbox behind an address", () => {
  const mailbox = (typed: string) => mailboxOf(parseEmailAddress(typed)?.canonical ?? "");

  test.each([
    ["case and blanks", " Mara.Voss@Example.COM", "mara.voss@example.com"],
    ["what stands behind a plus", "mara+shop+2@example.com", "mara@example.com"],
    ["dots at Gmail, by either of its names", "m.a.r.a+x@GoogleMail.com", "mara@gmail.com"],
    ["dots, dashes and names at Proton", "ma-r_a.v@pm.me", "marav@proton.me"],
    ["the names of iCloud", "mara@me.com", "mara@icloud.com"],
    ["dots and dashes at Yandex", "mara-v@ya.ru", "mara.v@yandex.com"],
    ["a domain in either spelling", "mara@bücher.example", "mara@xn--bcher-kva.example"],
  ])("is the same for addresses that differ by %s", (_, one, other) => expect(mailbox(one)).toBe(mailbox(other)));

  test.each([
    ["dots elsewhere", "m.ara@example.com", "mara@example.com"],
    ["a domain below it", "mara@mail.gmail.com", "mara@gmail.com"],
    ["a name that is all tag", "+a@example.com", "+b@example.com"],
  ])("is a different one with %s", (_, one, other) => expect(mailbox(one)).not.toBe(mailbox(other)));
});
