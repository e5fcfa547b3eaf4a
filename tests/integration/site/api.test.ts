import { featureSamples } from "#tests/support/features.ts";
import { env } from "cloudflare:workers";
import * as v from "valibot";
import { beforeEach, describe, expect, test } from "vitest";
import { answerCall } from "#app/api/answer-call.ts";
import { answerUnlessKnown, describeUnlessKnown, etagOf } from "#app/api/answers.ts";
import { type Call, describeCall } from "#app/api/call.ts";
import { calls as allCalls } from "#app/api/calls.ts";
import { problemsOf } from "#app/api/problem-schemas.ts";
import { jsonSchema, openApi } from "#app/api/open-api.ts";
import { allProblems, type ProblemCode, problems } from "#app/api/problems.ts";
import { deviceToken } from "#app/features/devices/device-token.rules.ts";
import { describeDeviceEntitlement } from "#app/features/devices/entitlement.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { expectDocumentedHeaders } from "#tests/support/site/documented-headers.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let app: TestApp;
let bugs: unknown[] = [];
let people = 0;

beforeEach(() => {
  bugs = [];
  app = testApp({ report: (error) => bugs.push(error) });
});

/** The tests' own calls, through the same entry point. */
const calls: Call[] = [
  describeCall({
    method: "PUT",
    path: "/lamp",
    caller: "device",
    summary: "Sets the lamp",
    body: v.object({ colour: v.pipe(v.string("colour-malformed"), v.maxLength(10, "colour-too-long")) }),
    answers: [{ status: 200, what: "The lamp", body: v.object({ colour: v.string() }) }],
    problems: ["body-too-slow"],
    run: async (_app, { body, callerId }) => ({ status: 200, body: { colour: body.colour, by: callerId } }),
  }),
  describeCall({
    method: "GET",
    path: "/lamp",
    caller: "anyone",
    summary: "Shows the lamp",
    body: null,
    ...describeUnlessKnown("The lamp", v.object({ on: v.boolean() }), "It is as it was"),
    problems: [],
    run: async (_app, { request }) =>
      answerUnlessKnown(request, await etagOf({ colour: "red" }), async () => ({ on: true })),
  }),
  describeCall({
    method: "DELETE",
    path: "/lamp",
    caller: "anyone",
    summary: "Breaks",
    body: null,
    answers: [],
    problems: [],
    run: async () => {
      throw new Error("select secret from table");
    },
  }),
];

async function ask(path: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
  const headers = { "CF-Connecting-IP": "192.0.2.7", ...init.headers };
  const request = new Request(`http://localhost:8787/api/v1${path}`, { ...init, headers });
  const answer = await answerCall(app, request, calls);
  const sent = calls.find(
    (call) => call.path === path && call.method === (init.method ?? "GET").replace("HEAD", "GET"),
  );
  const parsed: { code?: ProblemCode } = answer.ok ? {} : JSON.parse((await answer.clone().text()) || "{}");
  expectDocumentedHeaders(sent, answer, parsed.code);
  return answer;
}

async function aDevice(state = "active", accountState = "active"): Promise<string> {
  people += 1;
  const id = `acc_api_${people}`;
  await env.DB.batch([
    env.DB.prepare(`insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
      values (?1, ?2, ?1, ?1, 'en', 'UTC', '', 0)`).bind(id, accountState),
    env.DB.prepare(`insert into devices (id, account_id, state, fingerprint_hash, name, platform, activated_at, last_seen_at)
      values (?, ?, ?, '', 'Laptop', 'linux', 0, 0)`).bind(`dev_api${people}`, id, state),
  ]);
  return deviceToken(app.pepper, `dev_api${people}`);
}

const json = { "Content-Type": "application/json" };

function put(body: BodyInit, headers: Record<string, string>) {
  return ask("/lamp", { method: "PUT", body, headers });
}

describe("a call of the product API", () => {
  test("is answered as uncached JSON when it succeeds", async () => {
    const token = await aDevice();
    const answer = await put('{"colour":"red","unknown":1}', { ...json, Authorization: `Bearer ${token}` });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("application/json");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(await answer.json()).toEqual({ colour: "red", by: token.split(".")[0] });
  });

  test("reports the first failure: rate limit, path, method, size, media type, token, body", async () => {
    const token = await aDevice();
    const large = `{"colour":"${"x".repeat(70_000)}"}`;
    const shut = { limit: async () => ({ success: false }) };
    const parsed: string[] = [];
    const note = async (answer: Response) => {
      expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
      const { code, status } = await answer.json<{ code: string; status: number }>();
      expect(status).toBe(answer.status);
      parsed.push(`${status} ${code}`);
    };
    const open = app.rateLimitOfApi;
    app.rateLimitOfApi = shut;
    await note(await ask("/nothing", { method: "PUT", body: large }));
    app.rateLimitOfApi = open;
    await note(await ask("/nothing", { method: "PATCH", body: large }));
    await note(await ask("/lamp", { method: "PATCH", body: large }));
    await note(await put(large, { "Content-Type": "text/plain" }));
    await note(await put("[]", { "Content-Type": "text/plain" }));
    await note(await put("[]", json));
    await note(await put("[]", { ...json, Authorization: `Bearer ${token}` }));
    await note(await put("{}", { ...json, Authorization: `Bearer ${token}` }));
    expect(parsed).toEqual([
      "429 too-many-requests",
      "404 no-such-call",
      "405 method-not-allowed",
      "413 body-too-large",
      "415 not-json",
      "401 token-refused",
      "400 malformed-json",
      "422 invalid-fields",
    ]);
  });

  test("reports each invalid field and the reason, with its reference id", async () => {
    const answer = await put('{"colour":"ultramarine"}', { ...json, Authorization: `Bearer ${await aDevice()}` });
    expect(await answer.json()).toEqual({
      type: `${app.origin}/api/v1/openapi.json#/components/schemas/problem-invalid-fields`,
      title: problems["invalid-fields"].title,
      status: 422,
      code: "invalid-fields",
      errors: [{ field: "colour", problem: "colour-too-long" }],
      reference: app.referenceId,
    });
    const absent = await put("{}", { ...json, Authorization: `Bearer ${await aDevice()}` });
    expect(await absent.json()).toMatchObject({ errors: [{ field: "colour", problem: "colour-missing" }] });
  });

  test.each([
    ["no token", () => ""],
    ["another scheme", (token: string) => `Basic ${token}`],
    ["a word", () => "Bearer hello"],
    ["another device's hash", (token: string) => `Bearer dev_other.${token.split(".")[1]}`],
    ["a hash cut short", (token: string) => `Bearer ${token.slice(0, -1)}`],
    ["a token of 10 kB", () => `Bearer ${"x".repeat(10_000)}`],
  ])("with %s is refused like any other wrong token, without reading the database", async (_case, header) => {
    const token = await aDevice();
    app.trips.toDatabase = 0;
    const answer = await put('{"colour":"red"}', { ...json, Authorization: header(token) });
    expect([answer.status, answer.headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
    expect(await answer.json()).toEqual({
      type: `${app.origin}/api/v1/openapi.json#/components/schemas/problem-token-refused`,
      title: problems["token-refused"].title,
      status: 401,
      code: "token-refused",
      reference: app.referenceId,
    });
    expect(app.trips.toDatabase).toBe(0);
  });

  test.each([
    ["was removed", "removed", "active"],
    ["belongs to an account that is closed", "active", "closed"],
    ["belongs to an account that is erased", "active", "erased"],
  ])("by a device that %s is refused for its token, before its body is checked", async (_case, state, accountState) => {
    const token = await aDevice(state, accountState);
    const answer = await put("{}", { ...json, Authorization: `Bearer ${token}` });
    expect(answer.status).toBe(401);
  });

  test.each(["OPTIONS", "PATCH", "POST"])("with the method %s is answered with the allowed ones", async (method) => {
    const answer = await ask("/lamp", { method });
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "PUT, GET, HEAD, DELETE"]);
    expect(answer.headers.has("Access-Control-Allow-Origin")).toBe(false);
  });

  test("with a matching ETag gets 304 without a body, as does HEAD", async () => {
    const first = await ask("/lamp");
    const etag = first.headers.get("ETag") ?? "";
    expect([first.status, await first.json()]).toEqual([200, { on: true }]);
    for (const known of [etag, `"other", ${etag}`, etag.replace("W/", ""), "*"]) {
      const again = await ask("/lamp", { headers: { "If-None-Match": known } });
      expect([again.status, await again.text(), again.headers.get("ETag")]).toEqual([304, "", etag]);
    }
    expect((await ask("/lamp", { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
    const head = await ask("/lamp", { method: "HEAD" });
    expect([head.status, await head.text(), head.headers.get("ETag")]).toEqual([200, "", etag]);
  });

  test.each([
    ["an array", "[]"],
    ["a number", "1"],
    ["nothing", ""],
    ["half of an object", '{"colour":'],
    ["bytes that are no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d])],
    ["nesting without end", "[".repeat(60_000)],
  ])("whose body is %s is malformed", async (_case, body) => {
    const answer = await put(body, { ...json, Authorization: `Bearer ${await aDevice()}` });
    expect([answer.status, (await answer.json<{ code: string }>()).code]).toEqual([400, "malformed-json"]);
  });

  test("that fails reveals no details, and is reported once", async () => {
    const answer = await ask("/lamp", { method: "DELETE" });
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).not.toContain("secret");
    expect(text).toContain(app.referenceId);
    expect(bugs).toHaveLength(1);
    expect(app.route.pattern).toBe("/api/v1/lamp");
  });

  test("is refused when its network exceeds the rate limit", async () => {
    app.rateLimitOfApi = { limit: async () => ({ success: false }) };
    const answer = await ask("/lamp");
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "60"]);
  });

  test("of a device isn't refused for what others of its network send, nor theirs for its own", async () => {
    const spent = new Map<string, number>();
    const limit = async ({ key }: { key: string }) => {
      spent.set(key, (spent.get(key) ?? 0) + 1);
      return { success: (spent.get(key) ?? 0) <= 2 };
    };
    app.rateLimitOfApi = { limit };
    const [one, other] = [await aDevice(), await aDevice()];
    const by = async (token: string) => {
      const { status } = await put('{"colour":"red"}', { ...json, Authorization: `Bearer ${token}` });
      return status;
    };
    // A token that we didn't issue, and calls that need none, use up the network's share.
    const forged = `${one.split(".")[0]}.forged`;
    expect([await by(forged), await by(forged), await by(forged), (await ask("/lamp")).status]).toEqual([
      401, 401, 429, 429,
    ]);
    // A token doesn't give a call that needs none a share of its own.
    expect((await ask("/lamp", { headers: { Authorization: `Bearer ${one}` } })).status).toBe(429);
    expect([await by(one), await by(one), await by(one), await by(other)]).toEqual([200, 200, 429, 200]);
  });

  test("is answered if the rate limiter fails, which is reported", async () => {
    app.rateLimitOfApi = { limit: async () => Promise.reject(new Error("no answer")) };
    expect((await ask("/lamp")).status).toBe(200);
    expect(bugs).toEqual([new Error("no answer")]);
  });
});

describe("the OpenAPI document", () => {
  const document = () => openApi(app, allCalls);

  test("is served with an ETag", async () => {
    const request = (headers = {}) => new Request("http://localhost:8787/api/v1/openapi.json", { headers });
    const answer = await answerCall(app, request());
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(document())));
    const again = await answerCall(app, request({ "If-None-Match": answer.headers.get("ETag") ?? "" }));
    expect(again.status).toBe(304);
  });

  test("describes a locked plan in the product's own terms", () => {
    const lockedMeans = "The beacon shines, and can't be turned.";
    const { entitlement } = openApi({ ...app, product: { ...app.product, lockedMeans } }, allCalls).components.schemas;
    expect(JSON.stringify(entitlement)).toContain(lockedMeans);
  });

  test("lists every call of the table with all of its answers", () => {
    const paths = document().paths as Record<string, Record<string, { responses: object; security: object[] }>>;
    for (const call of allCalls) {
      const described = paths[call.path]?.[call.method.toLowerCase()];
      const statuses = [
        ...call.answers.map(({ status }) => String(status)),
        ...problemsOf(call).map((code) => String(allProblems[code].status)),
      ];
      expect(Object.keys(described?.responses ?? {}).toSorted()).toEqual(
        [...new Set([...statuses, "default"])].toSorted(),
      );
      expect(described?.security).toHaveLength(call.caller === "device" ? 1 : 0);
    }
    expect(Object.values(paths).flatMap((methods) => Object.keys(methods))).toHaveLength(allCalls.length);
  });

  test("names each call for generated clients, with the headers it needs", () => {
    const { paths } = JSON.parse(JSON.stringify(document())) as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map((each) => each["operationId"]));
    expect(ids).toEqual([...featureSamples.flatMap(({ operations = [] }) => operations), "getOpenapiJson"]);
    // Of a call that writes under If-Match.
    const underIfMatch = paths["/settings"]?.["put"];
    if (underIfMatch)
      expect(underIfMatch["parameters"]).toMatchObject([{ name: "If-Match", in: "header", required: true }]);
    expect(paths["/openapi.json"]?.["get"]?.["parameters"]).toMatchObject([{ name: "If-None-Match", required: false }]);
    const named = (path: string, method: string) =>
      Object.entries(paths[path]?.[method]?.["responses"] ?? {}).flatMap(([status, { headers = {} }]) =>
        Object.keys(headers).map((name) => `${status} ${name}`),
      );
    const refused = ["401 WWW-Authenticate", "405 Allow", "429 Retry-After", "503 Retry-After"];
    if (underIfMatch) expect(named("/settings", "put")).toEqual(["200 ETag", ...refused.toSpliced(2, 0, "412 ETag")]);
    expect(named("/entitlement", "get")).toEqual(["200 ETag", "304 ETag", ...refused]);
    expect(named("/devices", "post")).toEqual(refused);
  });

  test("lists every problem's code as a required field, and refers to every schema that it contains", () => {
    const { schemas, responses } = document().components;
    const described = schemas as Record<
      string,
      { allOf?: [unknown, { required: string[]; properties: { code: unknown } }] }
    >;
    for (const code of Object.keys(problems)) {
      expect(described[`problem-${code}`]?.allOf?.[1]).toMatchObject({
        type: "object",
        required: ["code"],
        properties: { code: { const: code } },
      });
    }
    const text = JSON.stringify(document());
    const names = [
      ...Object.keys(schemas).map((name) => `schemas/${name}`),
      ...Object.keys(responses).map((name) => `responses/${name}`),
    ];
    expect(names.filter((name) => !text.includes(`"#/components/${name}"`))).toEqual([]);
  });

  test("describes the fields of each body, and the claims of a token", () => {
    const text = JSON.stringify(document());
    expect(text).toContain('"name":{"type":"string","minLength":1,"maxLength":80,"description":"');
    expect(text).toContain('"platform":{"type":"string","minLength":1,"maxLength":40,"description":"');
    expect(text).toContain('"deviceToken":{"type":"string","description":"The bearer token of ');
    const { meters }: ProductConfig = product;
    for (const { key, unit } of meters) expect(text).toContain(`${key}: ${unit}`);
    expect(text).toContain('{"type":"integer","minimum":978307200000}');
    expect(document().components.schemas.entitlement).toEqual(
      jsonSchema(describeDeviceEntitlement({ ...app.product, hasFreePlan: true })),
    );
  });

  test("resolves all of its references", () => {
    const text = JSON.stringify(document());
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(references.length).toBeGreaterThan(3);
    const found = (path: string) =>
      path.split("/").reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document());
    expect(references.filter((path) => found(path) === undefined)).toEqual([]);
  });
});
