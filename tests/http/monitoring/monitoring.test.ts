import { describe, expect, test } from "vitest";
import { RECEIVER_KEY } from "#tests/support/monitoring/sentry-protocol.ts";
import { useTunnel } from "#tests/support/monitoring/tunnel.ts";

/** The rows of the tunnel table about what is accepted: destination, method and origin, off, framing, bytes. */
const tunnel = useTunnel();
const { receiver } = tunnel;

describe("one destination", () => {
  test("is taken from our own DSN, with one authentication", async () => {
    await tunnel.send({ path: "/monitoring?o=1&p=2&sentry_key=forged" });
    const { method, path, body } = await receiver.nextEnvelope();
    expect(method).toBe("POST");
    expect(path).toBe(`/api/${receiver.project}/envelope/?sentry_version=7&sentry_key=${RECEIVER_KEY}`);
    expect(body.toString()).toBe(tunnel.envelope());
  });

  test.each([
    ["key:@host", (dsn: string) => dsn.replace("@", ":@")],
    ["key:secret@host", (dsn: string) => dsn.replace("@", ":secret@")],
    ["a query behind the project", (dsn: string) => `${dsn}?sample.rate=0.1`],
  ])("is also matched by the same DSN written as %s, which arrives as it was written", async (_name, rewrite) => {
    const body = tunnel.envelope({ dsn: rewrite(receiver.dsn) });
    expect((await tunnel.send({ body })).status).toBe(200);
    expect((await receiver.nextEnvelope()).body.toString()).toBe(body);
  });

  test.each([
    ["another host", () => "https://key@evil.example/42"],
    ["no DSN", () => "not a dsn"],
    ["another key", () => receiver.dsn.replace(RECEIVER_KEY, "f".repeat(32))],
    ["another project", () => `${receiver.dsn}1`],
    ["another port", () => receiver.dsn.replace(`:${receiver.port}/`, `:${receiver.port + 1}/`)],
    ["another path", () => receiver.dsn.replace(`/${receiver.project}`, `/sub/${receiver.project}`)],
  ])("is not matched by a DSN with %s, which is refused with 403", async (_name, dsn) => {
    expect((await tunnel.send({ body: tunnel.envelope({ dsn: dsn() }) })).status).toBe(403);
    await tunnel.nextAfterNothing();
  });

  test("must not be named twice: a duplicate DSN is refused with 403, whichever of the two is ours", async () => {
    const other = '"d\\u0073n":"https://key@evil.example/42"';
    for (const header of [`{"dsn":"${receiver.dsn}",${other}}`, `{${other},"dsn":"${receiver.dsn}"}`]) {
      expect((await tunnel.send({ body: `${header}\n{"type":"event"}\n{}` })).status).toBe(403);
    }
    await tunnel.nextAfterNothing();
  });

  test("is not affected by a DSN in an item's header", async () => {
    const body = tunnel.envelope({}, '{"type":"event","dsn":"https://key@evil.example/42"}\n{}');
    expect((await tunnel.send({ body })).status).toBe(200);
    expect((await receiver.nextEnvelope()).body.toString()).toBe(body);
  });

  test("need not be named, but if it is, it has to be a DSN", async () => {
    for (const header of ['{"dsn":null}', '{"dsn":["x"]}'])
      expect((await tunnel.send({ body: `${header}\n{"type":"event"}\n{}` })).status).toBe(403);
    await tunnel.nextAfterNothing();
    for (const header of ["{}", '{"trace":{"dsn":"x"}}']) {
      const body = `${header}\n{"type":"event"}\n{}`;
      expect((await tunnel.send({ body })).status).toBe(200);
      expect((await receiver.nextEnvelope()).body.toString()).toBe(body);
    }
  });
});

describe("method and origin", () => {
  test.each(["GET", "PUT", "DELETE", "OPTIONS", "HEAD"])(
    "%s is refused with 405 and the allowed methods",
    async (method) => {
      const response = await tunnel.send({ method });
      expect([response.status, response.headers.get("Allow")]).toEqual([405, "POST"]);
    },
  );

  test("a trailing slash is accepted, and a longer path isn't the tunnel", async () => {
    expect((await tunnel.send({ path: "/monitoring/" })).status).toBe(200);
    await receiver.nextEnvelope();
    for (const path of ["/monitoring/x", "/monitoring//", "//monitoring", "/Monitoring", "/monitoring%2F"]) {
      expect((await tunnel.send({ path })).status).toBe(404);
    }
  });

  test("foreign pages are refused by Sec-Fetch-Site and by Origin, and programs without either are accepted", async () => {
    expect((await tunnel.send({ headers: { "Sec-Fetch-Site": "cross-site" } })).status).toBe(403);
    expect((await tunnel.send({ headers: { Origin: "https://evil.example" } })).status).toBe(403);
    expect((await tunnel.send({ headers: { Origin: "null" } })).status).toBe(403);
    await tunnel.nextAfterNothing();
    expect((await tunnel.send({ headers: { Origin: tunnel.origin, "Sec-Fetch-Site": "same-origin" } })).status).toBe(
      200,
    );
    expect((await tunnel.send()).status).toBe(200);
  });
});

test("a tunnel that is off answers with an empty 204, and sends nothing", async () => {
  const response = await tunnel.send({ headers: { "x-dsn": "" } });
  expect([response.status, await response.text()]).toEqual([204, ""]);
  await tunnel.nextAfterNothing();
});

describe("framing", () => {
  test.each([
    ["nothing", ""],
    ["words", "not valid envelope data{{{"],
    ["a header and no item", '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}'],
    ["a payload that is too short", '{}\n{"type":"event","length":9}\n{}'],
    ["a blank line between items", '{}\n{"type":"event","length":2}\n{}\n\n{"type":"event"}\n{}'],
  ])("%s is refused with 400", async (_name, body) => {
    expect((await tunnel.send({ body })).status).toBe(400);
  });

  test("a header line of 64 KiB is accepted, and one byte more is refused", async () => {
    const padded = (bytes: number): string => {
      const bare = tunnel.envelope({ pad: "" }).indexOf("\n");
      return tunnel.envelope({ pad: "x".repeat(bytes - bare) });
    };
    expect((await tunnel.send({ body: padded(64 * 1024) })).status).toBe(200);
    expect((await tunnel.send({ body: padded(64 * 1024 + 1) })).status).toBe(400);
  });
});

describe("bytes", () => {
  test("of binary payloads, carriage returns, sent_at and unknown items arrive unchanged", async () => {
    const header = Buffer.from(
      `{"sent_at":"2026-01-01T00:00:00.000Z","dsn":"${receiver.dsn.replaceAll("/", "\\/")}" }\n`,
    );
    const replay = Buffer.from(Array.from({ length: 1024 }, (_, index) => index % 256));
    const body = Buffer.concat([
      header,
      Buffer.from('{"type":"replay_recording","length":1024}\n'),
      replay,
      Buffer.from('\n{"type":"of_the_future","x":"ü"}\nhello\r\n'),
    ]);
    expect((await tunnel.send({ body })).status).toBe(200);
    expect((await receiver.nextEnvelope()).body.equals(body)).toBe(true);
  });

  test("of forgeable header fields are stripped, and the rest is unchanged", async () => {
    const forged =
      '"forwarded_for":"8.8.8.8","remote_addr":"8.8.8.8","user_agent":"x","origin":"https://evil.example",' +
      '"forwarded\\u005ffor":"9.9.9.9","client":"y",';
    const body = tunnel.envelope().replace("{", `{${forged}"retention":1,"client":"x","no_cache":true,`);
    await tunnel.send({ body });
    expect((await receiver.nextEnvelope()).body.toString()).toBe(tunnel.envelope());
  });
});
