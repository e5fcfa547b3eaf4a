import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { affinityRule, watchVersion } from "./watch-version.ts";

const watched = { origin: "https://shop.example", worker: "shop", version: "2", minutes: 4, operatorToken: "token" };

const well = () => Response.json({ status: "ok" });
const stylesheet = "/assets/app-1.css";
const script = "/assets/root-1.js";
const page = () =>
  new Response(`<link rel="stylesheet" href="${stylesheet}"/><script>import * as root from "${script}";</script>`);

/** Watches a site whose `/healthz` gives these answers, one a minute, and whose pages give those. `before` is its answer at the start. */
async function watch(
  health: (Response | Error)[],
  pages: Record<string, Response> = {},
  before: Response | Error = well(),
  failedBefore: string[] | null = null,
) {
  const requests: Request[] = [];
  const healths = failedBefore === null ? [before, ...health] : [...health];
  const ask = (request: Request) => {
    requests.push(request);
    const { pathname } = new URL(request.url);
    const answer = pathname === "/healthz" ? (healths.shift() ?? well()) : (pages[pathname] ?? page());
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const failure = await watchVersion({ ...watched, failedBefore }, { ask, pause: () => Promise.resolve() }).catch(
    (error: Error) => error,
  );
  return { requests, failure };
}

const pathsOf = (requests: Request[]) => requests.map(({ url }) => url.replace(watched.origin, ""));
const choosesVersion = ({ headers }: Request) => headers.get("Cloudflare-Workers-Version-Overrides") === 'shop="2"';

test("the new version itself is asked, each minute, for its health and its first pages", async () => {
  const { requests, failure } = await watch([]);
  expect(failure).toBeUndefined();
  const each = ["/healthz", "/", "/login", "/signup"];
  expect(pathsOf(requests.filter(choosesVersion))).toEqual([...each, ...each, ...each, ...each]);
});

test("the operators' token is sent to /healthz alone", async () => {
  const { requests } = await watch([]);
  const withToken = requests.filter(({ headers }) => headers.get("Authorization") === "Bearer token");
  expect(new Set(pathsOf(withToken))).toEqual(new Set(["/healthz"]));
});

test("its first bad answer ends the watch, without a second try", async () => {
  const { requests, failure } = await watch([well(), new Response("no cron job", { status: 503 })]);
  expect(failure).toEqual(new Error("/healthz of the new version answered 503: no cron job"));
  expect(pathsOf(requests.filter(choosesVersion)).filter((path) => path === "/healthz")).toHaveLength(2);
});

test.each(["/", "/login", "/signup"])("a version that is well, and whose %s throws, is refused", async (path) => {
  const { failure } = await watch([], { [path]: new Response("Something went wrong", { status: 500 }) });
  expect(failure).toEqual(new Error(`${path} of the new version answered 500`));
});

test("the home page and its files are loaded as visitors do, who choose no version", async () => {
  const { requests } = await watch([]);
  const visit = ["/", stylesheet, script];
  const [, ...asVisitor] = requests.filter((request) => !choosesVersion(request));
  expect(pathsOf(asVisitor)).toEqual([...visit, ...visit, ...visit, ...visit]);
});

test.each([stylesheet, script])(
  "a page whose %s another version would have to serve names the missing rule",
  async (file) => {
    const { failure } = await watch([], { [file]: new Response("not found", { status: 404 }) });
    expect(failure).toEqual(
      expect.objectContaining({ message: expect.stringMatching(`^${file} answered 404.*rule "${affinityRule}"`) }),
    );
  },
);

test("the guide says how the rule is made", () => {
  const guide = readFileSync("docs/guides/deploy.md", "utf8");
  expect(guide).toMatch(new RegExp(`rule name +\\| \`${affinityRule}\``));
  expect(guide).toMatch(/header name +\| `Cloudflare-Workers-Version-Key`/);
});

const failing = (...failedJobs: string[]) => Response.json({ status: "ok", cron: { failedJobs } });

test("a cron job that fails is a bad answer, also when it couldn't be asked before", async () => {
  const expected = new Error("Cron jobs failed: emails");
  expect((await watch([failing("emails")])).failure).toEqual(expected);
  for (const before of [new Error("connect ECONNREFUSED"), new Response("starting", { status: 503 })])
    expect((await watch([failing("emails")], {}, before)).failure).toEqual(expected);
});

test("one that failed before may fail on, since the new version may be its fix, and hides no other", async () => {
  const before = () => failing("orders");
  expect((await watch([before(), before(), well(), well()], {}, before())).failure).toBeUndefined();
  expect((await watch([before(), well()], {}, undefined, ["orders"])).failure).toBeUndefined();
  const { failure } = await watch([before(), failing("orders", "emails")], {}, before());
  expect(failure).toEqual(new Error("Cron jobs failed: emails"));
});

test("one that failed before and has succeeded since may not fail again, nor one that began to fail before the watch", async () => {
  const expected = new Error("Cron jobs failed: orders");
  const before = () => failing("orders");
  expect((await watch([before(), well(), before()], {}, before())).failure).toEqual(expected);
  expect((await watch([before()], {}, undefined, [])).failure).toEqual(expected);
});

test("a network that fails twice isn't the site's fault, three times is", async () => {
  const down = new Error("connect ECONNREFUSED");
  expect((await watch([down, down, well(), down])).failure).toBeUndefined();
  expect((await watch([down, down, down])).failure).toEqual(
    expect.objectContaining({ message: expect.stringContaining("ECONNREFUSED") }),
  );
});
