import { readFileSync } from "node:fs";
import { features } from "#app/features.ts";
import { product } from "#app/product/config.ts";
import { type Address, addresses, fixedPaths } from "#tests/support/site/addresses.ts";
import { code, type Page, section, table } from "../markdown.ts";

const source = readFileSync("app/routes.ts", "utf8");

export function routesPage(): Page {
  const isFixed = ({ pattern }: Address) => fixedPaths.includes(pattern);
  return {
    file: "routes.md",
    title: "Routes",
    about: [
      "The URLs of `app/routes.ts`, in its order. `{segment}` is the config's. Before React Router, `workers/app.ts` answers `/monitoring`,",
      "`/monitoring/reports`, `/api/v1` ([product API](product-api.md)) and `/api/operator` ([operators' API](operator-api.md)); static files",
      "are answered by Cloudflare.",
    ].join("\n"),
    sections: [
      section("Pages", "A fixed contract: their paths don't change.", describe(addresses.filter(isFixed))),
      section("Other URLs", describe(addresses.filter((address) => !isFixed(address)))),
    ],
  };
}

function describe(listed: readonly Address[]): string {
  const rows = listed.map(({ pattern, file }) => [code(pathOf(pattern)), code(`app/${file}`), commentOf(file)]);
  return table(["path", "file", "description"], rows);
}

/** Parameters and the configured segment in braces. */
function pathOf(pattern: string): string {
  return pattern.replace(/:(\w+)/g, "{$1}").replace(`/${product.segment}/`, "/{segment}/");
}

/** What a feature says of its page, or the comment before the core's. */
function commentOf(file: string): string {
  const own = features.flatMap(({ settingsPages = [], publicPages = [] }) => [...settingsPages, ...publicPages]);
  const about = own.find((page) => page.file === file)?.about;
  if (about !== undefined) return about;
  const line = source.split("\n").findIndex((text) => text.includes(`"${file}"`));
  return /^\s*\/\*\* (.*) \*\/$/.exec(source.split("\n")[line - 1] ?? "")?.[1] ?? "";
}
