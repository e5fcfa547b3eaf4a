import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../run.ts";
import { type Target, targetCommand } from "./target.ts";
import { askWrangler } from "./wrangler.ts";

/** A version of a Worker and its share of the requests, in percent. */
export type Share = { version_id: string; percentage: number };

/** Cloudflare's codes for a Worker that doesn't exist, and wrangler's word for one that has secrets alone. */
const isNeverDeployed = /\[code: (10007|10090)\]|has no deployments/;

type Serving = {
  /** Newest first. Empty before the first deployment. */
  shares: Share[];
  isNewestServing: boolean;
  /** Why neither is known, if so. */
  problems: string[];
};

/** The versions that serve now, and whether the newest one is among them. */
export async function findShares(select: string[]): Promise<Serving> {
  const [deployed, known] = await Promise.all([
    askWrangler<{ versions: Share[] }>(["deployments", "status", ...select, "--json"]),
    askWrangler<{ id: string }[]>(["versions", "list", ...select, "--json"]),
  ]);
  const none = { shares: [], isNewestServing: true, problems: [] };
  const refused = [deployed, known].flatMap((answer) => (answer.ok ? [] : [answer.message]));
  const unanswered = refused.find((message) => !isNeverDeployed.test(message));
  if (unanswered !== undefined) {
    return { ...none, problems: [`The versions that serve now can't be listed. ${unanswered}`] };
  }
  if (!deployed.ok || !known.ok) return none;
  // Wrangler lists versions from old to new.
  const age = ({ version_id: id }: Share) => known.value.findIndex((version) => version.id === id);
  const shares = deployed.value.versions.toSorted((one, other) => age(other) - age(one));
  const newest = known.value.at(-1)?.id;
  return { ...none, shares, isNewestServing: shares.some(({ version_id: id }) => id === newest) };
}

/** Said after going back, and after an upload whose version got no share. */
export function newestNotServing(target: Target): string {
  return `Cloudflare sets no secret now, not even MAINTENANCE: the newest version isn't the one that runs. To change that, check out the release that runs, and ${targetCommand("deploy", target)}`;
}

/** Uploads the build, which gets no requests yet. Returns the version's id. */
export async function uploadVersion(builtConfig: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "foyer-version-"));
  const file = join(folder, "printed.ndjson");
  try {
    await run("wrangler", ["versions", "upload", "--config", builtConfig], {
      quiet: false,
      env: { WRANGLER_OUTPUT_FILE_PATH: file },
    });
    const [, id] = /"version_id":"([^"]+)"/.exec(readFileSync(file, "utf8")) ?? [];
    if (id === undefined) throw new Error("wrangler didn't say which version it uploaded");
    return id;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function shareRequests(select: string[], shares: readonly Share[]): Promise<void> {
  const specs = shares.filter(({ percentage }) => percentage > 0).map((one) => `${one.version_id}@${one.percentage}%`);
  await run("wrangler", ["versions", "deploy", ...specs, ...select, "--yes"], { quiet: false });
}

/** The release that a version was deployed as, which is its commit. Null if it was deployed with changes that weren't committed. */
export async function findRelease(select: string[], { version_id: id }: Share): Promise<string | null> {
  const answer = await askWrangler<{ resources: { bindings: { type: string; name: string; text?: string }[] } }>([
    "versions",
    "view",
    id,
    ...select,
    "--json",
  ]);
  if (!answer.ok) throw new Error(`The version ${id} can't be read. ${answer.message}`);
  const variables = answer.value.resources.bindings.filter(({ type }) => type === "plain_text");
  return variables.find(({ name }) => name === "SENTRY_RELEASE")?.text ?? null;
}

/** Outputs for the deploy workflow, such as `release` and `version`: a step takes a roll-out back only if the version is its own. */
export function outputToWorkflow(name: "version" | "release" | "failing", value: string): void {
  const file = process.env.GITHUB_OUTPUT;
  if (file) appendFileSync(file, `${name}=${value}\n`);
}
