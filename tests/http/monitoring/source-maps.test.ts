import { cpSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useSite } from "#tests/support/site/use-site.ts";
import { sourceMapProblems, uploadSourceMaps } from "../../../scripts/deploy/source-maps.ts";

const scripts = readdirSync("build/client/assets").filter((name) => name.endsWith(".js"));
const maps = readdirSync("build/client/assets").filter((name) => name.endsWith(".map"));

describe("source maps", () => {
  const site = useSite();

  test("are never served: no script of a page names one, and their addresses are 404", async () => {
    expect(maps.length).toBeGreaterThan(20);
    for (const name of scripts) {
      const served = await fetch(`${site.origin}/assets/${name}`);
      expect([name, served.status, (await served.text()).includes("sourceMappingURL")]).toEqual([name, 200, false]);
    }
    for (const name of maps) {
      const refused = await fetch(`${site.origin}/assets/${name}`);
      expect([name, refused.status]).toEqual([name, 404]);
    }
  });
});

type Call = { call: string; headers: IncomingHttpHeaders; body: Buffer };

/** As much of the receiver's upload interface as its command line tool needs: what is accepted, chunks, assembly. */
class UploadReceiver {
  readonly calls: Call[] = [];
  status = 200;
  readonly #server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const call = `${request.method} ${request.url}`;
    this.calls.push({ call, headers: request.headers, body });
    response
      .writeHead(this.status, { "Content-Type": "application/json" })
      .end(JSON.stringify(this.#answer(call, body)));
  });
  #isStored = false;

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get origin(): string {
    // A TCP server has an AddressInfo; only one on a pipe has a string.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }

  #answer(call: string, body: Buffer): object {
    if (this.status !== 200) return { detail: "Invalid token" };
    if (call.endsWith("/assemble/")) {
      const missingChunks: unknown = this.#isStored ? [] : JSON.parse(body.toString()).chunks;
      return { state: this.#isStored ? "created" : "not_found", missingChunks };
    }
    if (call.startsWith("POST")) {
      this.#isStored = true;
      return {};
    }
    return {
      url: `${this.origin}/api/0/organizations/acme/chunk-upload/`,
      chunkSize: 8 << 20,
      chunksPerRequest: 64,
      maxRequestSize: 32 << 20,
      concurrency: 1,
      hashAlgorithm: "sha1",
      compression: ["gzip"],
      accept: ["artifact_bundles", "artifact_bundles_v2"],
    };
  }
}

describe("npm run deploy with a token for the error receiver", () => {
  const receiver = new UploadReceiver();
  beforeAll(async () => {
    await receiver.listen();
  });
  afterAll(() => receiver.close());
  const settings = (): Record<string, string> => ({
    SENTRY_AUTH_TOKEN: "a-token",
    SENTRY_ORG: "acme",
    SENTRY_PROJECT: "front-office",
    SENTRY_RELEASE: "r1",
    SENTRY_URL: receiver.origin,
  });

  test("needs a project and a release as well, and without a token nothing", () => {
    expect(sourceMapProblems({ SENTRY_AUTH_TOKEN: "a-token", SENTRY_ORG: "acme" })).toEqual([
      "SENTRY_PROJECT is missing while SENTRY_AUTH_TOKEN is set",
      "SENTRY_RELEASE is missing while SENTRY_AUTH_TOKEN is set",
    ]);
    expect(sourceMapProblems({})).toEqual([]);
  });

  test("uploads every map with the debug id in its script", async () => {
    const folder = mkdtempSync(join(tmpdir(), "foyer-maps-"));
    cpSync("build", folder, { recursive: true });
    await uploadSourceMaps(folder, settings());

    const assembled = receiver.calls.find(({ call }) => call.endsWith("/artifactbundle/assemble/"));
    expect(assembled?.headers.authorization).toBe("Bearer a-token");
    expect(JSON.parse(assembled?.body.toString() ?? "")).toMatchObject({ projects: ["front-office"], version: "r1" });
    const sent = receiver.calls.find(({ call }) => call === "POST /api/0/organizations/acme/chunk-upload/");
    const bundle = unpacked(sent?.body);
    for (const name of [...maps, "index.js.map"]) expect(bundle).toContain(name);

    const script = scripts.find((name) => name.startsWith("app-")) ?? "";
    const debugId = /_sentryDebugIds\[n\]="([\w-]{36})"/.exec(
      readFileSync(`${folder}/client/assets/${script}`, "utf8"),
    )?.[1];
    expect(JSON.parse(readFileSync(`${folder}/client/assets/${script}.map`, "utf8")).debugId).toBe(debugId);
    expect(readFileSync(`${folder}/server/index.js`, "utf8")).toContain("_sentryDebugIds");
  });

  test("deploys nothing when the receiver refuses them, and prints the answer", async () => {
    receiver.status = 401;
    const folder = mkdtempSync(join(tmpdir(), "foyer-maps-"));
    cpSync("build", folder, { recursive: true });
    await expect(uploadSourceMaps(folder, settings())).rejects.toThrow("Invalid token");
  });
});

/** The bundle inside of the form that it was sent in: an archive, whose names are in it as they are. */
function unpacked(form: Buffer | undefined): string {
  const start = form?.indexOf(Buffer.from([0x1f, 0x8b])) ?? -1;
  const end = form?.lastIndexOf("\r\n--") ?? -1;
  if (form === undefined || start === -1) throw new Error("No bundle was uploaded");
  return gunzipSync(form.subarray(start, end)).toString("latin1");
}
