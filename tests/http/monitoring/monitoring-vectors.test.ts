import { describe, expect, test } from "vitest";
import { useTunnel } from "#tests/support/monitoring/tunnel.ts";
import vectors from "#tests/vectors/sentry-envelopes.json" with { type: "json" };

/** Third-party envelopes through the tunnel: what is valid arrives byte for byte, what is malformed is refused. */
const tunnel = useTunnel();
const { receiver } = tunnel;

/** The same envelope, addressed to our receiver; after the header's DSN nothing is changed. */
function addressed(bytes: Buffer): Buffer<ArrayBuffer> {
  const newline = bytes.indexOf("\n");
  const end = newline === -1 ? bytes.length : newline;
  const line = bytes.subarray(0, end).toString();
  const bare = line.replace(/"dsn": ?"[^"]*",?/, "");
  const separator = bare === "{}" ? "" : ",";
  const header = bare.replace("{", `{"dsn":"${receiver.dsn}"${separator}`).replace(",}", "}");
  return Buffer.concat([Buffer.from(header), bytes.subarray(end)]);
}

const cases = vectors.envelopes.map(({ id, name, b64, expect: wanted }) => ({
  title: `${id} ${name}`,
  bytes: Buffer.from(b64, "base64"),
  fault: wanted.valid === true ? null : (wanted.error ?? wanted.strictError),
  isEmpty: wanted.itemTypes?.length === 0,
}));

describe("valid envelopes", () => {
  test.each(cases.filter(({ fault, isEmpty }) => fault === null && !isEmpty))("$title", async ({ bytes }) => {
    const body = addressed(bytes);
    expect((await tunnel.send({ body })).status).toBe(200);
    expect((await receiver.nextEnvelope()).body.equals(body)).toBe(true);
  });

  test.each(cases.filter(({ isEmpty }) => isEmpty))("$title, with nothing to forward", async ({ bytes }) => {
    const answer = await tunnel.send({ body: addressed(bytes) });
    expect([answer.status, await answer.json()]).toEqual([400, { detail: "empty envelope" }]);
    await tunnel.nextAfterNothing();
  });
});

describe("malformed envelopes", () => {
  test.each(cases.filter(({ fault }) => fault !== null))("$title", async ({ bytes, fault }) => {
    const isHeaderWhole = fault !== "invalid_header";
    const answer = await tunnel.send({ body: isHeaderWhole ? addressed(bytes) : bytes });
    expect([answer.status, await answer.json()]).toEqual([400, { detail: fault }]);
    await tunnel.nextAfterNothing();
  });
});
