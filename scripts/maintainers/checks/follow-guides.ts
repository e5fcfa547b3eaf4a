import { spawnSync } from "node:child_process";
import { commitAll, copyCustomised } from "./repository-copy.ts";

const sender = 'MAIL_FROM="Example <hello@example.com>"';

/**
 * What docs/guides tell a team to run without an account of Cloudflare's, in a copy whose app/product is a web app's. Returns what each
 * failed command printed.
 */
export function followGuides(use: string): string[] {
  const cwd = copyCustomised(use);
  const run = (command: string) => {
    // A run of its own: it has the team's product, and its results aren't counted with the tests that started it.
    const env = { ...process.env, FOYER_TEST_REPORTS: "", FOYER_PRODUCT: "", NODE_OPTIONS: "" };
    const path = `${cwd}/node_modules/.bin:${process.env.PATH}`;
    const ended = spawnSync("sh", ["-c", command], {
      cwd,
      env: { ...env, PATH: path },
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    return ended.status === 0 ? [] : [`${command}\n${ended.stdout}${ended.stderr}`];
  };
  const branded = run("npm run brand");
  // The team's own versions have such tags, too.
  commitAll(cwd, "Make it ours", "v1.0.0");
  return [
    ...branded,
    ...run("npm run check"),
    ...run("npm run upgrade-check -- v0.1.0"),
    ...run("npm run check:configs -- own"),
    ...run(`PUBLIC_ORIGIN=https://example.com ${sender} npm run deploy -- --dry-run`),
  ];
}
