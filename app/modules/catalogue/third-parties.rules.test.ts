import { describe, expect, test } from "vitest";
import { mayHaveOtherServices, type ThirdParty, thirdPartiesOn } from "./third-parties.rules.ts";

const service = { purpose: "Counts.", privacyUrl: "https://skua.example/privacy", stores: [] };
const counting: ThirdParty = { ...service, name: "counting" };
const chat: ThirdParty = { ...service, name: "chat", pages: "account" };
const config = { thirdParties: [counting, chat] };

const namesOn = (pathname: string, isSignedIn = false) =>
  thirdPartiesOn(config, { pathname, isSignedIn }).map(({ name }) => name);

describe("third-party services", () => {
  test.each(["/", "/legal/terms", "/legal/privacy"])("are all on %s for visitors", (path) => {
    expect(namesOn(path)).toEqual(["counting", "chat"]);
  });

  test.each(["/", "/legal/terms"])("are on %s for signed-in users only if declared for the account", (path) => {
    expect(namesOn(path, true)).toEqual(["chat"]);
  });

  test.each(["/settings", "/settings/orders/ord_1"])("are on %s only if declared for the account", (path) => {
    expect(namesOn(path, true)).toEqual(["chat"]);
  });

  test.each(
    [
      ["/login", "/signup", "/verify", "/withdraw", "/payment/success", "/logout"],
      ["/settingsx", "/legal", "//", "/nothing-here"],
    ].flat(),
  )("are never on %s", (path) => {
    for (const isSignedIn of [true, false]) expect(namesOn(path, isSignedIn)).toEqual([]);
  });

  test("are nowhere if none is declared", () => {
    for (const none of [{}, { thirdParties: [] }])
      expect(thirdPartiesOn(none, { pathname: "/", isSignedIn: false })).toEqual([]);
  });
});

describe("a redirect leaves the document", () => {
  test.each([
    ["/settings/security", "/verify", true],
    ["/settings/plan", "/payment/processing", true],
    ["/settings", "/login", true],
    ["/login", "/settings", true],
    ["/logout", "/", true],
    ["/settings/plan", "/settings/orders", false],
    ["/login", "/verify", false],
  ])("from %s to %s: %j", (from, to, isLeft) => {
    expect(mayHaveOtherServices(config, from, to)).toBe(isLeft);
  });

  test("only where the services differ", () => {
    expect(mayHaveOtherServices({ thirdParties: [counting] }, "/login", "/settings")).toBe(false);
    expect(mayHaveOtherServices({ thirdParties: [counting] }, "/logout", "/")).toBe(true);
    expect(mayHaveOtherServices({}, "/logout", "/")).toBe(false);
  });
});
