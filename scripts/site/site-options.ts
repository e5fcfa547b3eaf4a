import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { configurationProblems } from "#app/configuration.ts";
import { readDevVars } from "./dev-vars.ts";

/** Where wrangler keeps local data without `--persist-to`. */
export const localState = ".wrangler/state";

export type SiteOptions = {
  port: number;
  stripePort: number;
  origin: string;
  stripe: string;
  /** An absolute path. */
  persistTo: string;
  vars: Record<string, string>;
  isDemo: boolean;
};

/**
 * Options of `npm start` and `npm run dev`: `-- --port N --persist-to DIR --var NAME:VALUE --demo`; the last --var of a name overrides
 * every default. The demo has its own default folder. Exits with one message that lists every problem.
 */
export function readSiteOptions(): SiteOptions {
  const { values } = readArguments();
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65534) stop(["--port takes a number from 1 to 65534"]);
  const malformed = values.var.filter((pair) => !/^[A-Z][A-Z0-9_]*:/.test(pair));
  if (malformed.length > 0) stop(malformed.map((pair) => `--var takes NAME:VALUE, not "${pair}"`));
  const given: Record<string, string> = Object.fromEntries(
    values.var.map((pair) => [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)]),
  );
  const origin = `http://localhost:${port}`;
  const stripe = `http://localhost:${port + 1}`;
  const vars: Record<string, string> = { ...readDevVars(), PUBLIC_ORIGIN: origin, STRIPE_API_BASE: stripe, ...given };
  const problems = configurationProblems(vars);
  if (problems.length > 0) stop(problems);
  const isLocalKey = String(vars["STRIPE_SECRET_KEY"]).startsWith("local-");
  if (values.demo && !isLocalKey)
    stop(["--demo needs the Stripe emulator: STRIPE_SECRET_KEY has to begin with local-"]);
  const folder = values["persist-to"] ?? (values.demo ? ".wrangler/demo" : localState);
  return { port, stripePort: port + 1, origin, stripe, persistTo: resolve(folder), vars, isDemo: values.demo };
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: "string", default: "8787" },
        "persist-to": { type: "string" },
        demo: { type: "boolean", default: false },
        var: { type: "string", multiple: true, default: [] },
      },
    });
  } catch (error) {
    return stop([error instanceof Error ? error.message : String(error)]);
  }
}

function stop(problems: string[]): never {
  console.error(`The site can't start:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
  process.exit(1);
}
