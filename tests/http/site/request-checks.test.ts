import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { bodyReadMs } from "#app/http/forms/read-form.ts";
import { signUp, typeCode } from "#tests/support/clients/customers.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { routeActions } from "#tests/support/site/route-actions.ts";
import { addresses } from "#tests/support/site/addresses.ts";
import { type FormSample, formSamples } from "#tests/support/site/form-samples.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

/** What docs/security.md promises of requests, tested on every route there is. What a route's POST accepts decides which tests apply. */
type Takes =
  /** Forms of our pages. */
  | { kind: "form"; fields: Record<string, string> }
  /** Other programs, with their own authentication in place of an Origin. */
  | { kind: "signed"; bytesMax: number }
  /** Mailboxes, by an address that is signed itself; nothing of the body is read. */
  | { kind: "linked" }
  /** Nothing: every POST is refused. */
  | { kind: "nothing" };

/** Sent in place of what the form's schema gives, which would leave little to test. */
const telling: Record<string, Record<string, string>> = {
  "/verify": { code: "12345678" },
  // Not the form that closes the customer's account.
  "/settings/data": { intent: "restore" },
  "/settings/upgrade": { intent: "quote", plan: small.id, interval: "month" },
  "/withdraw": { name: "Mara", order: "2026-000041", email: "a@example.com", intent: "confirm" },
};

const signed: Record<string, Takes> = {
  "/unsubscribe": { kind: "linked" },
  "/webhooks/email": { kind: "signed", bytesMax: 256 * 1024 },
  "/webhooks/stripe": { kind: "signed", bytesMax: 1024 * 1024 },
};

/** Of several forms at one address, the one with the most fields. */
function formsByAddress(all: FormSample[]): Record<string, Takes> {
  const fewestFirst = all.toSorted((a, b) => Object.keys(a.fields).length - Object.keys(b.fields).length);
  return Object.fromEntries(fewestFirst.map(({ pattern, fields }) => [pattern, { kind: "form", fields }]));
}

const { "/*": _unknown, ...found } = formsByAddress(await formSamples());
const takers: Record<string, Takes> = { ...found, ...signed };
for (const [pattern, fields] of Object.entries(telling)) takers[pattern] = { kind: "form", fields };

const takenBy = (pattern: string): Takes => takers[pattern] ?? { kind: "nothing" };

const encoded = "application/x-www-form-urlencoded";
const all = Object.entries(takers);
/** A form without fields is a button, and other fields that are sent with it aren't read. */
const hasFields = (takes: Takes) => takes.kind === "form" && Object.keys(takes.fields).length > 0;
const forms = all.flatMap(([path, takes]) => (takes.kind === "form" ? [[path, takes] as const] : []));

let customer: Visitor;

const site = useSite();
beforeAll(async () => {
  customer = await signUp(site, "customer@example.com", "");
  // An account's referral link is created when its page is first viewed.
  await customer.open("/settings/referral");
});

function cookies(): string {
  return [...customer.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** As a customer, except where that redirects or ends what the other tests need. */
const forStrangers = new Set(["/signup", "/login", "/logout"]);

function send(path: string, body: string, headers: Record<string, string>): Promise<Response> {
  const cookie = forStrangers.has(path) ? "" : cookies();
  return site.fetch(path, { method: "POST", body, headers: { "Content-Type": encoded, Cookie: cookie, ...headers } });
}

/** Every row of every table except the counters of quotas, as one text. */
async function everything(): Promise<string> {
  const database = await site.database();
  const { results: tables } = await database
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'd1_%' and name not like '\\_%' escape '\\'",
    )
    .all<{ name: string }>();
  const names = tables.map(({ name }) => name).filter((name) => !/^(sqlite_|quota_uses)/.test(name));
  const rows = await database.batch(names.map((name) => database.prepare(`select * from ${name}`)));
  return JSON.stringify(Object.fromEntries(names.map((name, index) => [name, rows[index]?.results])));
}

test("every form is found, and nothing is listed that isn't a route with an action", () => {
  expect(forms.length).toBeGreaterThan(15);
  const listed = [...Object.keys(signed), ...Object.keys(telling)];
  const acting = routeActions().map(({ pattern }) => pattern);
  expect(listed.filter((pattern) => !acting.includes(pattern))).toEqual([]);
});

describe("a state change must come from our own origin", () => {
  const guarded = addresses.filter(({ pattern }) => !["signed", "linked"].includes(takenBy(pattern).kind));

  test.each(guarded.flatMap(({ path, dataPath }) => [path, dataPath]))("for %s", async (path) => {
    const before = await everything();
    const origins = ["https://evil.example", "null", undefined, `${site.origin}.evil.example`, ""];
    for (const Origin of origins) {
      const headers = { Cookie: cookies(), ...(Origin !== undefined && { Origin }) };
      const refused = await send(path, "intent=profile&name=Eve", headers);
      expect([path, Origin, refused.status]).toEqual([path, Origin, 403]);
      expect(refused.headers.getSetCookie()).toEqual([]);
    }
    expect(await everything()).toBe(before);
  });

  test("or from a mailbox, which names none, to unsubscribe", async () => {
    for (const Origin of ["https://evil.example", "null", undefined]) {
      const headers = { Cookie: cookies(), ...(Origin !== undefined && { Origin }) };
      const { status } = await send("/unsubscribe?token=none", "List-Unsubscribe=One-Click", headers);
      expect([Origin, status]).toEqual([Origin, Origin === undefined ? 404 : 403]);
    }
  });

  test.each(["PUT", "PATCH", "DELETE", "OPTIONS"])("%s is not allowed for any page", async (method) => {
    for (const { path } of guarded) {
      const refused = await site.fetch(path, { method, headers: { Origin: site.origin } });
      expect([path, refused.status, refused.headers.get("Allow")]).toEqual([path, 405, "GET, HEAD, POST"]);
    }
  });

  test.each(["/", "/legal/terms", "/healthz", "/.well-known/jwks.json", "/robots.txt"])(
    "a form for %s, which has none, is refused with the accepted methods",
    async (path) => {
      const refused = await send(path, "", { Origin: site.origin });
      expect([refused.status, refused.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
      expect(refused.headers.get("Content-Type")).toContain("text/html");
      expect(await refused.text()).not.toContain("Unexpected Server Error");
    },
  );
});

describe("a GET writes nothing", () => {
  test.each(addresses.flatMap(({ path, dataPath }) => [path, dataPath]))("at %s", async (path) => {
    const before = await everything();
    for (const method of ["GET", "HEAD"]) {
      const query = "?intent=profile&name=Eve&code=12345678&confirm=x&entry=x&revert=x&order=x";
      const answer = await site.fetch(path + query, { method, headers: { Cookie: cookies() } });
      expect(answer.status).toBeLessThan(500);
      await answer.body?.cancel();
    }
    expect(await everything()).toBe(before);
  });
});

describe("request bodies", () => {
  test.each(forms.filter(([, takes]) => hasFields(takes)))(
    "are refused by %s above 64 kB, whatever their declared length",
    async (path, { fields }) => {
      const body = `${new URLSearchParams(fields)}&padding=${"x".repeat(70_000)}`;
      const chunked = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(body));
          controller.close();
        },
      });
      const init: RequestInit & { duplex: "half" } = { method: "POST", duplex: "half", body: chunked };
      init.headers = { "Content-Type": encoded, Cookie: forStrangers.has(path) ? "" : cookies(), ...own() };
      expect([path, (await send(path, body, own())).status]).toEqual([path, 413]);
      expect([path, (await site.fetch(path, init)).status]).toEqual([path, 413]);
    },
  );

  test.each(all.flatMap(([path, takes]) => (takes.kind === "signed" ? [[path, takes.bytesMax] as const] : [])))(
    "are refused by %s above its limit",
    async (path, bytesMax) => {
      expect((await send(path, "x".repeat(bytesMax + 1), {})).status).toBe(413);
    },
  );

  test("are refused by routes that accept none", async () => {
    for (const { path } of addresses.filter(({ pattern }) => takenBy(pattern).kind === "nothing")) {
      const refused = await send(path, "a=b", own());
      expect([path, [404, 405].includes(refused.status)]).toEqual([path, true]);
    }
  });
});

describe("incomplete request bodies", () => {
  /** Sends the beginning of a body, and then what `goOn` yields, until it is answered or the connection ends. */
  async function drag(path: string, goOn: (socket: Socket) => void): Promise<string> {
    const { hostname, port, host } = new URL(site.origin);
    const socket = connect(Number(port), hostname);
    const headers = [`Host: ${host}`, `Origin: ${site.origin}`, `Content-Type: ${encoded}`, "Content-Length: 1000"];
    socket.write(`POST ${path} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\nemail=`);
    const going = setInterval(() => goOn(socket), 200);
    let answer = "";
    try {
      for await (const part of socket) {
        answer += String(part);
        if (answer.endsWith("\r\n0\r\n\r\n") || answer.includes("Content-Length: 0\r\n")) break;
      }
    } finally {
      clearInterval(going);
      socket.destroy();
    }
    return answer;
  }

  test(
    "are waited for at most ten seconds, and answered with 408",
    async () => {
      const [trickling, stalling, event] = await Promise.all([
        drag("/login", (socket) => socket.write("a")),
        drag("/signup", () => undefined),
        drag("/webhooks/stripe", (socket) => socket.write("a")),
      ]);
      for (const form of [trickling, stalling]) {
        expect(form).toMatch(/^HTTP\/1.1 408 /);
        // Without the sizes of the chunks in which it came, one of which may be in the middle of the sentence.
        const page = form.replaceAll(/\r\n[0-9A-F]+\r\n/gi, "");
        expect(page).toContain(refusalMessages.en["form-too-slow"]);
      }
      expect(event).toMatch(/^HTTP\/1.1 408 /);
    },
    3 * bodyReadMs,
  );
});

describe("unknown form fields", () => {
  test.each(forms)("are never stored by %s", async (path, { fields }) => {
    const body = new URLSearchParams({
      ...fields,
      marker: "smuggled-value",
      state: "erased",
      __proto__x: "smuggled-value",
    });
    const answer = await send(path, `${body}&constructor=smuggled-value`, own());
    expect(answer.status).toBeLessThan(500);
    expect(await everything()).not.toContain("smuggled-value");
  });
});

describe("a redirect leads to a path on this site", () => {
  const hostile = [
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/%09/evil.example",
    "/.//evil.example",
    "javascript:alert(1)",
    "/\u0000//evil.example",
    " //evil.example",
    "/settings\r\nSet-Cookie: a=b",
    "@evil.example",
    "///evil.example",
  ];

  test.each(hostile)("and never to %j, for any way of signing in", async (redirectTo) => {
    const query = new URLSearchParams({ redirectTo });
    for (const path of ["/login", "/signup"]) {
      const answer = await site.fetch(`${path}?${query}`, { headers: { Cookie: cookies() } });
      const location = answer.headers.get("Location") ?? "";
      expect(new URL(location, site.origin).origin).toBe(site.origin);
      expect(location).not.toMatch(/^\/\/|\\|\n/);
    }
    const db = await site.database();
    await db.exec("delete from quota_uses");
    const address = `way-${hostile.indexOf(redirectTo)}@example.com`;
    const visitor = await site.visitor().open("/signup");
    await visitor.post({ email: address, terms: "on", redirectTo }, "/signup");
    if (/[\u0000-\u001f]/.test(redirectTo)) {
      expect([visitor.status, await site.emailsTo(address, 0)]).toEqual([422, []]);
      return;
    }
    await typeCode(visitor, await site.codeTo(address));
    expect(new URL(visitor.url).origin).toBe(site.origin);
  });
});

describe("line breaks of every kind", () => {
  const breaks = ["\r\n", "\n", "\r", "\u0000", "\u2028", "\u2029", "\u0085"];

  test.each(breaks)("%j appears in no header of an email or an answer", async (lineBreak) => {
    const injected = `x${lineBreak}Bcc: everybody@example.com`;
    const refused = await send(
      "/signup",
      String(new URLSearchParams({ email: `${injected}@example.com`, terms: "on" })),
      own(),
    );
    expect(refused.status).toBe(422);
    for (const [path, takes] of forms) {
      const fields = Object.fromEntries(
        Object.entries(takes.fields).map(([name, value]) => [name, `${value}${injected}`]),
      );
      const answer = await send(path, String(new URLSearchParams(fields)), own());
      expect([path, answer.status < 500]).toEqual([path, true]);
      for (const [name, value] of answer.headers) expect(`${name}: ${value}`).not.toContain("Bcc");
    }
  });
});

function own(): Record<string, string> {
  return { Origin: site.origin };
}
