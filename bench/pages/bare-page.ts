import { execFileSync } from "node:child_process";

/** Builds the bare page with the plugins that the site is built with; answers where its Worker stands. */
export function buildBarePage(): string {
  execFileSync("../../../node_modules/.bin/react-router", ["build"], {
    cwd: "bench/pages/bare",
    env: { ...process.env, NODE_ENV: "production" },
    stdio: "ignore",
  });
  return "node_modules/.bare-page/server";
}
