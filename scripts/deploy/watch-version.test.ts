import { expect, test } from "vitest";
import { watchVersion } from "./watch-version.ts";

const watched = { origin: "https://shop.example", worker: "shop", version: "2", minutes: 4, operatorToken: "token" };

const well = () => Response.json({ status: "ok" });

/** Watches a site that gives these answers, one a minute. */
async function watch(answers: (Response | Error)[]) {
  const requests: Request[] = [];
  const ask = (request: Request) => {
    const answer = answers[requests.push(request) - 1] ?? well();
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const failure = await watchVersion(watched, { ask, pause: () => Promise.resolve() }).catch((error: Error) => error);
  return { requests, failure };
}

test("the new version itself is asked, each minute", async () => {
  const { requests, failure } = await watch([]);
  expect(failure).toBeUndefined();
  expect(requests.map(({ url }) => url)).toEqual(Array.from({ length: 4 }, () => "https://shop.example/healthz"));
  expect(requests[0]?.headers.get("Cloudflare-Workers-Version-Overrides")).toBe('shop="2"');
  expect(requests[0]?.headers.get("Authorization")).toBe("Bearer token");
});

test("its first bad answer ends the watch, without a second try", async () => {
  const { requests, failure } = await watch([well(), new Response("no cron job", { status: 503 })]);
  expect(failure).toEqual(new Error("/healthz of the new version answered 503: no cron job"));
  expect(requests).toHaveLength(2);
});

test("a cron job that fails is a bad answer", async () => {
  const { failure } = await watch([Response.json({ status: "ok", cron: { failedJobs: ["send-emails"] } })]);
  expect(failure).toEqual(new Error("Cron jobs failed: send-emails"));
});

test("a network that fails twice isn't the site's fault, three times is", async () => {
  const down = new Error("connect ECONNREFUSED");
  expect((await watch([down, down, well(), down])).failure).toBeUndefined();
  expect((await watch([down, down, down])).failure).toEqual(
    expect.objectContaining({ message: expect.stringContaining("ECONNREFUSED") }),
  );
});
