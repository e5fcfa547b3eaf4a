/** The watch ends after this many failed connections in a row, since a network that is down says nothing about the site. */
const unreachableMax = 3;

/** What customers need first. Each is rendered, and answers 200 to anyone. */
const pages = ["/", "/login", "/signup"];

/** The rule's name in Cloudflare's dashboard. docs/guides/deploy.md says what it does. */
export const affinityRule = "Version affinity";

type Ask = (request: Request) => Promise<Response>;

type Watched = {
  origin: string;
  /** The Worker's name, and the version to ask, whatever its share is. */
  worker: string;
  version: string;
  minutes: number;
  /** With it, `/healthz` names the cron jobs that failed in the newest run, whichever version ran it. */
  operatorToken: string | undefined;
  /** Cron jobs that failed before the version was deployed. Null if they aren't known, and are asked for at the beginning. */
  failedBefore: readonly string[] | null;
};

class Unreachable extends Error {}

/**
 * Asks `/healthz` and the pages of one version each minute, and throws what is wrong with its first bad answer. Cloudflare's header
 * Cloudflare-Workers-Version-Overrides chooses which version answers: without it, nine of ten answers would be the former version's. Then
 * loads the home page and its files without that header, as visitors do. A cron job that failed before doesn't end the watch, since the new
 * version may be its fix, until it has succeeded once.
 */
export async function watchVersion(
  { minutes, failedBefore, ...watched }: Watched,
  { ask, pause }: { ask: Ask; pause: () => Promise<void> },
): Promise<void> {
  const reach: Ask = (request) =>
    ask(request).catch((error: unknown) => {
      throw new Unreachable(`${watched.origin} can't be reached: ${String(error)}`);
    });
  let failing = failedBefore ?? (await listFailingJobs(watched, reach));
  if (failing.length > 0) console.log(`Cron jobs that failed before don't end the watch: ${failing.join(", ")}`);
  let unreachable = 0;
  for (let minute = 1; minute <= minutes; minute += 1) {
    await pause();
    try {
      failing = await checkVersion(watched, failing, reach);
      await visit(watched.origin, reach);
      unreachable = 0;
    } catch (error) {
      unreachable += 1;
      if (!(error instanceof Unreachable) || unreachable >= unreachableMax) throw error;
    }
  }
}

/** Returns the cron jobs that failed before and still do. */
async function checkVersion(
  { origin, worker, version, operatorToken }: Omit<Watched, "minutes" | "failedBefore">,
  failedBefore: readonly string[],
  ask: Ask,
): Promise<readonly string[]> {
  const headers = { "Cloudflare-Workers-Version-Overrides": `${worker}="${version}"` };
  const failing = await jobsFailing({ origin, operatorToken }, ask, headers);
  const begun = failing.filter((job) => !failedBefore.includes(job));
  if (begun.length > 0) throw new Error(`Cron jobs failed: ${begun.join(", ")}`);
  for (const path of pages) {
    const { status } = await ask(new Request(origin + path, { headers }));
    if (status !== 200) throw new Error(`${path} of the new version answered ${status}`);
  }
  return failing;
}

/**
 * Loads the home page and its files as a browser does, which doesn't choose a version. Each version has its own files, and answers 404 to
 * those that the other's page names.
 */
async function visit(origin: string, ask: Ask): Promise<void> {
  const page = await ask(new Request(`${origin}/`));
  const html = await page.text();
  if (page.status !== 200) throw new Error(`/ answered ${page.status} to a visitor`);
  for (const path of new Set([...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => String(file)))) {
    const { status } = await ask(new Request(origin + path));
    if (status !== 200)
      throw new Error(
        `${path} answered ${status} to a visitor whose page names it: pages and files come from different versions. The zone needs the rule "${affinityRule}" (docs/guides/deploy.md, section 10)`,
      );
  }
}

/** The cron jobs that fail now. Empty if the site doesn't say so. */
export function listFailingJobs(site: Pick<Watched, "origin" | "operatorToken">, ask: Ask): Promise<string[]> {
  return jobsFailing(site, ask).catch(() => []);
}

/** Empty without the operators' token. */
async function jobsFailing(
  { origin, operatorToken }: Pick<Watched, "origin" | "operatorToken">,
  ask: Ask,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const health = new Request(`${origin}/healthz`, { headers });
  if (operatorToken) health.headers.set("Authorization", `Bearer ${operatorToken}`);
  const answer = await ask(health);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`/healthz of the new version answered ${answer.status}: ${text}`);
  // Written by app/routes/healthz.
  const { cron } = JSON.parse(text) as { cron?: { failedJobs: string[] } };
  return cron?.failedJobs ?? [];
}
