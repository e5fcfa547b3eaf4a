/** A network that fails as often in a row says nothing of the site. */
const unreachableMax = 3;

type Watched = {
  origin: string;
  /** The Worker's name, and the version that is asked whatever its share is. */
  worker: string;
  version: string;
  minutes: number;
  /** With it, the site reads what it reports to operators, and names the cron jobs that failed. */
  operatorToken: string | undefined;
};

/**
 * Asks `/healthz` of one version each minute, and throws what it says once that isn't well. Which version answers is said by a header of
 * Cloudflare's (Cloudflare-Workers-Version-Overrides): without it, nine of ten answers would be the former version's.
 */
export async function watchVersion(
  { origin, worker, version, minutes, operatorToken }: Watched,
  { ask, pause }: { ask: (request: Request) => Promise<Response>; pause: () => Promise<void> },
): Promise<void> {
  let unreachable = 0;
  for (let minute = 1; minute <= minutes; minute += 1) {
    await pause();
    const headers = new Headers({ "Cloudflare-Workers-Version-Overrides": `${worker}="${version}"` });
    if (operatorToken) headers.set("Authorization", `Bearer ${operatorToken}`);
    const answer = await ask(new Request(`${origin}/healthz`, { headers })).catch((error: unknown) => String(error));
    if (answer instanceof Response) {
      unreachable = 0;
      await refuseUnwell(answer);
      continue;
    }
    unreachable += 1;
    if (unreachable >= unreachableMax) throw new Error(`${origin} can't be reached: ${answer}`);
  }
}

async function refuseUnwell(answer: Response): Promise<void> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`/healthz of the new version answered ${answer.status}: ${text}`);
  // Written by app/routes/healthz.
  const { cron } = JSON.parse(text) as { cron?: { failedJobs: string[] } };
  if (cron && cron.failedJobs.length > 0) throw new Error(`Cron jobs failed: ${cron.failedJobs.join(", ")}`);
}
