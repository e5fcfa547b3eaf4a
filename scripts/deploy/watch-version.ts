/** A network that fails as often in a row says nothing of the site. */
const unreachableMax = 3;

/** What customers need first. Each is rendered, and answers 200 to anyone. */
const pages = ["/", "/login", "/signup"];

type Ask = (request: Request) => Promise<Response>;

type Watched = {
  origin: string;
  /** The Worker's name, and the version that is asked whatever its share is. */
  worker: string;
  version: string;
  minutes: number;
  /** With it, the site reads what it reports to operators, and names the cron jobs that failed. */
  operatorToken: string | undefined;
};

class Unreachable extends Error {}

/**
 * Asks `/healthz` and the pages of one version each minute, and throws what is wrong with its first bad answer. Which version answers is
 * said by a header of Cloudflare's (Cloudflare-Workers-Version-Overrides): without it, nine of ten answers would be the former version's.
 */
export async function watchVersion(
  { minutes, ...watched }: Watched,
  { ask, pause }: { ask: Ask; pause: () => Promise<void> },
): Promise<void> {
  const reach: Ask = (request) =>
    ask(request).catch((error: unknown) => {
      throw new Unreachable(`${watched.origin} can't be reached: ${String(error)}`);
    });
  let unreachable = 0;
  for (let minute = 1; minute <= minutes; minute += 1) {
    await pause();
    try {
      await checkVersion(watched, reach);
      unreachable = 0;
    } catch (error) {
      unreachable += 1;
      if (!(error instanceof Unreachable) || unreachable >= unreachableMax) throw error;
    }
  }
}

async function checkVersion(
  { origin, worker, version, operatorToken }: Omit<Watched, "minutes">,
  ask: Ask,
): Promise<void> {
  const headers = { "Cloudflare-Workers-Version-Overrides": `${worker}="${version}"` };
  const health = new Request(`${origin}/healthz`, { headers });
  if (operatorToken) health.headers.set("Authorization", `Bearer ${operatorToken}`);
  await refuseUnwell(await ask(health));
  for (const path of pages) {
    const { status } = await ask(new Request(origin + path, { headers }));
    if (status !== 200) throw new Error(`${path} of the new version answered ${status}`);
  }
}

async function refuseUnwell(answer: Response): Promise<void> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`/healthz of the new version answered ${answer.status}: ${text}`);
  // Written by app/routes/healthz.
  const { cron } = JSON.parse(text) as { cron?: { failedJobs: string[] } };
  if (cron && cron.failedJobs.length > 0) throw new Error(`Cron jobs failed: ${cron.failedJobs.join(", ")}`);
}
