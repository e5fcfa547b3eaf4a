import { readFileSync } from "node:fs";
import { localOnly, requiredVariables } from "#app/configuration.ts";
import { secretNames } from "../../deploy/problems.ts";
import { commentsOf, sourceFiles } from "../source.ts";
import { code, type Page, section, sentence, table } from "../markdown.ts";

const example = readFileSync("scripts/site/local.dev.vars", "utf8");
const wrangler = readFileSync("wrangler.toml", "utf8");

/** The variables of scripts/site/local.dev.vars, each with the comment above it. */
export function variables(): { name: string; comment: string }[] {
  return [...example.matchAll(/(?:^# (?!\w+=)(.*)\n)?^(?:# )?([A-Z_]+)=/gm)].map(([, comment = "", name = ""]) => ({
    name,
    comment,
  }));
}

/** What the Worker reads from its environment, bindings aside. */
export function variablesRead(): string[] {
  const bound = new Set(bindings().map(({ name }) => name));
  const read = sourceFiles().flatMap((file) => {
    const text = readFileSync(file, "utf8");
    // The list of routes is read at build time.
    const isApp = !file.startsWith("workers/monitoring/") && file !== "app/routes.ts";
    const names = isApp ? text.matchAll(/(?<!import\.meta\.)\benv\.([A-Z][A-Z_]+)\b/g) : [];
    return [...names, ...text.matchAll(/\b(SENTRY_[A-Z_]+)\?: string/g)].map(([, name = ""]) => name);
  });
  return [...new Set(read)].filter((name) => !bound.has(name)).toSorted();
}

export function variablesPage(): Page {
  return {
    file: "variables.md",
    title: "Variables, secrets and bindings",
    about: [
      "From `scripts/site/local.dev.vars` and `wrangler.toml`. Without a required one the Worker answers 503 and logs what is missing. Values are",
      "trimmed, except `CODE_PEPPER` and `VISIT_SECRET`. With an https `PUBLIC_ORIGIN` the Worker also refuses local-only names, values that",
      "begin with `local-`, and secrets of fewer than 32 characters.",
    ].join("\n"),
    sections: [
      section("Variables and secrets", table(["name", "kind", "description"], variables().map(row))),
      section(
        "Bindings",
        table(
          ["binding", "kind", "limit"],
          bindings().map(({ name, kind, limit }) => [code(name), kind, limit]),
        ),
      ),
      section("Settings of the product", "The keys of `app/product/config.ts`.", settings()),
    ],
  };
}

function row({ name, comment }: { name: string; comment: string }): string[] {
  const kinds = [
    ...(requiredVariables.some((required) => required === name) ? ["required"] : []),
    ...(secretNames.includes(name) ? ["secret"] : []),
    ...(localOnly.some((local) => local === name) ? ["local only"] : []),
  ];
  return [code(name), kinds.join(", ") || "optional", sentence(comment)];
}

function bindings(): { name: string; kind: string; limit: string }[] {
  return [...wrangler.matchAll(/^\[{1,2}(\w+)\]{1,2}\n((?:\w+ = .*\n?)*)/gm)].flatMap(([, kind = "", body = ""]) => {
    const [, limit, period] = /limit = (\d+), period = (\d+)/.exec(body) ?? [];
    const name = /^(?:binding|name) = "(\w+)"/m.exec(body)?.[1];
    return name ? [{ name, kind, limit: limit ? `${limit} in ${period} s, per IP (IPv6: /64)` : "–" }] : [];
  });
}

function settings(): string {
  const comments = commentsOf("app/modules/catalogue/rules.ts");
  const keys = [...comments].filter(([name]) => /^ProductConfig\.\w+$/.test(name));
  return table(
    ["key", "description"],
    keys.map(([name, comment]) => [code(name.replace("ProductConfig.", "")), sentence(comment)]),
  );
}
