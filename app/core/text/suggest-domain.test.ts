import { describe, expect, test } from "vitest";
import { parseStoredAddress } from "#app/core/text/email-address.ts";
import { countSlips, suggestAddress, suggestDomain } from "./suggest-domain.ts";

describe("a mistyped domain", () => {
  test.each([
    ["gmail.con", "gmail.com"],
    ["gmial.com", "gmail.com"],
    ["gmial.con", "gmail.com"],
    ["gmai.com", "gmail.com"],
    ["gmail.co", "gmail.com"],
    ["gmaill.com", "gmail.com"],
    ["hotmial.com", "hotmail.com"],
    ["hotmal.co.uk", "hotmail.co.uk"],
    ["homtial.com", "hotmail.com"],
    ["outlok.com", "outlook.com"],
    ["outlokk.de", "outlook.de"],
    ["yaho.com", "yahoo.com"],
    ["yhaoo.fr", "yahoo.fr"],
    ["icoud.com", "icloud.com"],
    ["t-onlien.de", "t-online.de"],
    ["anything.con", "anything.com"],
    ["mail.anything.ogr", "mail.anything.org"],
  ])("%s is corrected to %s", (typed, meant) => {
    expect(suggestDomain(typed)).toBe(meant);
  });

  test.each([
    "gmail.com",
    "googlemail.com",
    "mail.com",
    "email.com",
    "ymail.com",
    "yahoo.co.uk",
    "yahoo.pl",
    "hotmail.gr",
    "outlook.jp",
    "live.com",
    "gmx.net",
    "gmx.de",
    "web.de",
    "me.com",
    "proton.me",
    "cloud.com",
    "example.com",
    "overlook.com",
    "motel.com",
    "gmail.example.com",
    "company.co",
    "company.cm",
  ])("%s is not corrected", (domain) => {
    expect(suggestDomain(domain)).toBeNull();
  });

  test("keeps the part before the @ as it was typed", () => {
    expect(suggestAddress(parseStoredAddress("Cara.Test+shop@GMIAL.com"))).toBe("Cara.Test+shop@gmail.com");
    expect(suggestAddress(parseStoredAddress("cara@gmail.com"))).toBeNull();
  });
});

test.each([
  ["gmail", "gmail", 0],
  ["gmial", "gmail", 1],
  ["gmai", "gmail", 1],
  ["gmaill", "gmail", 1],
  ["gnail", "gmail", 1],
  ["", "gmail", 5],
])("the number of typing errors from %s to %s is %i", (typed, meant, slips) => {
  expect(countSlips(typed, meant)).toBe(slips);
});
