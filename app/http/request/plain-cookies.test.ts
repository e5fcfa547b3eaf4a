import { describe, expect, test } from "vitest";
import { addPlainCookies, isLocalHttp, readPlainCookies } from "./plain-cookies.ts";

describe("cookies without Secure", () => {
  test.each([
    ["http://localhost:8787/login", "http://localhost:8787", true],
    ["http://127.0.0.1:9001/", "http://localhost:9001", true],
    ["http://[::1]:9001/", "http://[::1]:9001", true],
    ["https://localhost:8787/login", "http://localhost:8787", false],
    ["http://localhost:8787/login", "https://foyer.example", false],
    ["http://foyer.example/login", "http://localhost:8787", false],
    ["http://foyer.example/", "http://foyer.example", false],
    ["https://foyer.example/", "https://foyer.example", false],
    ["http://localhost.foyer.example/", "http://localhost.foyer.example", false],
    ["http://192.168.0.4:8787/", "http://192.168.0.4:8787", false],
    ["http://localhost:8787/", "", false],
  ])("%s, configured as %s: %s", (url, origin, isLocal) => {
    expect(isLocalHttp(url, origin)).toBe(isLocal);
  });

  test("are read under the site's names, after those with Secure", () => {
    const read = (Cookie: string) =>
      readPlainCookies(new Request("http://localhost", { headers: { Cookie } })).headers.get("Cookie");
    expect(read("session=a; theme=dark")).toBe("session=a; theme=dark; __Host-session=a; __Host-theme=dark");
    expect(read("session=a; __Host-session=b")).toBe("session=a; __Host-session=b; __Host-session=a");
    expect(read("__Host-session=b")).toBe("__Host-session=b");
    const request = new Request("http://localhost");
    expect(readPlainCookies(request)).toBe(request);
  });

  test("keep every other attribute and are sent beside the others", () => {
    const headers = new Headers({ "Set-Cookie": "__Host-flash=a; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=Lax" });
    headers.append("Set-Cookie", "__Host-visit=b; Path=/; Secure");
    expect(addPlainCookies(new Response(null, { status: 303, headers })).headers.getSetCookie()).toEqual([
      "__Host-flash=a; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=Lax",
      "__Host-visit=b; Path=/; Secure",
      "flash=a; Path=/; Max-Age=60; HttpOnly; SameSite=Lax",
      "visit=b; Path=/",
    ]);
  });
});
