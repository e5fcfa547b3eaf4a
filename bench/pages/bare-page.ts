import { execFileSync } from "node:child_process";

/** Builds the bare page with the site's plugins; returns the path of its Worker. */
export function buildBarePage(): string {
  execFileSync("../../../node_modules/.bin/react-router", ["build"], {
    cwd: "bench/pages/bare",
    env: { ...process.env, NODE_ENV: "production" },
    stdio: "ignore",
  });
  return "node_modules/.bare-page/server";
}
