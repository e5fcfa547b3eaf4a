import { createHash } from "node:crypto";

export type NamedFiles = { "wrangler.toml": string; "package.json": string };

/** What Cloudflare accepts as the name of a Worker and a database, and npm as that of a package. */
const allowed = /^[a-z][a-z0-9-]{0,50}[a-z0-9]$/;

/**
 * Renames the Worker, its database, the rate limits and the package in the files that name them, all after one name. A database with an id
 * keeps its own name, under which it was restored.
 */
export function withResourceNames(files: NamedFiles, name: string): NamedFiles {
  if (!allowed.test(name))
    throw new Error(
      `resources in app/product/config.ts is "${name}": use lower-case letters, digits and hyphens, 2 to 52`,
    );
  const first = firstNamespace(name);
  let limits = 0;
  return {
    "package.json": files["package.json"].replace(/^ {2}"name": ".*"/m, `  "name": "${name}"`),
    "wrangler.toml": files["wrangler.toml"]
      .replace(/^name = ".*"/m, `name = "${name}"`)
      .replace(/^database_name = ".*"(?!(?:\n.+)*\ndatabase_id = )/m, `database_name = "${name}"`)
      .replaceAll(/^namespace_id = ".*"/gm, () => `namespace_id = "${first + limits++}"`),
  };
}

/** Workers of one Cloudflare account share a rate limit's counter by its number, so each product has a hundred numbers of its own. */
export function firstNamespace(name: string): number {
  return (createHash("sha256").update(name).digest().readUInt32BE(0) % 10_000_000) * 100 + 1;
}
