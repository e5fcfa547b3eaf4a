import { createHash } from "node:crypto";
import type { Unstable_Config as Config } from "wrangler";
import { firstNamespace } from "../brand/resource-names.ts";

/** Where a deployment goes. Each has its own Worker, database, key-value store and rate limits. */
export type Target = {
  kind: "production" | "staging" | "preview";
  /** Added to the names of the Worker and its database. */
  suffix: string;
  /** Only previews have one. */
  branch?: string;
};

/** The longest name of a Worker, which is a label of a host name. */
const nameLengthMax = 63;

/** The longest part of a preview's name that is the branch's. */
const branchLengthMax = 24;
/** How many digits of a hash tell two branches apart whose names would otherwise become the same. */
const hashLength = 6;

/** `to` is production, staging or preview, which is the branch's own. Throws an error that says what to change. */
export function readTarget(to: string, branch: string | null): Target {
  switch (to) {
    case "production":
      return { kind: to, suffix: "" };
    case "staging":
      return { kind: to, suffix: "-staging" };
    case "preview": {
      const label = labelOf(branch ?? "");
      if (label === null)
        throw new Error("A preview is named after the branch, and none is checked out: --branch NAME");
      return { kind: to, suffix: `-preview-${label}`, branch: String(branch) };
    }
    default:
      throw new Error(`--to is production, staging or preview, not ${to}`);
  }
}

/** A command of `package.json` for a target. Without its options it would be for production. */
export function targetCommand(script: string, { kind, branch }: Target, ...args: string[]): string {
  const to = kind === "production" ? [] : ["--to", kind, ...(branch === undefined ? [] : ["--branch", branch])];
  const all = [...to, ...args];
  return [`npm run ${script}`, ...(all.length > 0 ? ["--", ...all] : [])].join(" ");
}

/** A branch's name as part of a host name, different for each branch. Null if nothing of it can be part of one. */
function labelOf(branch: string): string | null {
  const label = branch
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  if (label === "") return null;
  if (label === branch && label.length <= branchLengthMax) return label;
  const short = label.slice(0, branchLengthMax - hashLength - 1).replace(/-$/, "");
  return `${short}-${createHash("sha256").update(branch).digest("hex").slice(0, hashLength)}`;
}

type Deployed = Pick<Config, "name" | "d1_databases" | "kv_namespaces" | "ratelimits" | "route" | "routes" | "vars">;

/**
 * The configuration of a target: everything that Cloudflare counts, stores or serves by a name gets one of its own. Production's routes
 * and address are not taken over.
 */
export function configFor<Whole extends Deployed>(config: Whole, { kind, suffix }: Target): Whole {
  const name = `${config.name}${suffix}`;
  if (name.length > nameLengthMax) throw new Error(`${name} is too long for a Worker's name: --branch NAME`);
  if (kind === "production") return config;
  const first = firstNamespace(name);
  const { PUBLIC_ORIGIN: _, ...vars } = config.vars;
  return {
    ...config,
    name,
    topLevelName: name,
    ratelimits: config.ratelimits.map((limit, index) => ({ ...limit, namespace_id: String(first + index) })),
    d1_databases: config.d1_databases.map(({ database_id: id, preview_database_id: __, ...database }) => ({
      ...database,
      // An id means that production's database was restored under another name. This target's wasn't.
      database_name: `${id ? config.name : database.database_name}${suffix}`,
    })),
    // Without an id, the first deployment creates a store named after the Worker.
    kv_namespaces: config.kv_namespaces.map(({ binding }) => ({ binding })),
    route: undefined,
    routes: undefined,
    vars: { ...vars, SENTRY_ENVIRONMENT: kind },
  };
}

/** The Worker's own address, unless PUBLIC_ORIGIN names another. */
export function workersDevOrigin(name: string, subdomain: string): string {
  return `https://${name}.${subdomain}.workers.dev`;
}
