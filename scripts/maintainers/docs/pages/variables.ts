import { readFileSync } from "node:fs";
import { localOnly, requiredVariables, secretLengthMin } from "#app/configuration.ts";
import { secretNames } from "../../../deploy/problems.ts";
import { code, type Page, section, sentence, table } from "../markdown.ts";

export function variablesPage(): Page {
  return {
    file: "variables.md",
    title: "Variables, secrets and bindings",
    about: [
      "From `scripts/site/local.dev.vars` and `wrangler.toml`. Without a required one the Worker answers 503 and logs what is missing. Values are",
      "trimmed, except `CODE_PEPPER` and `VISIT_SECRET`. With an https `PUBLIC_ORIGIN` the Worker also refuses local-only names, values that",
      `begin with \`local-\`, and secrets of fewer than ${secretLengthMin} characters.`,
    ].join("\n"),
    sections: [
      section("Variables and secrets", table(["name", "kind", "description"], variables())),
      section("Bindings", table(["binding", "kind", "limit"], bindings())),
    ],
  };
}

/** The variables of scripts/site/local.dev.vars, each with the comment above it. */
function variables(): string[][] {
  const text = readFileSync("scripts/site/local.dev.vars", "utf8");
  return [...text.matchAll(/(?:^# (?!\w+=)(.*)\n)?^(?:# )?([A-Z_]+)=/gm)].map(([, comment = "", name = ""]) => [
    code(name),
    kindOf(name),
    sentence(comment),
  ]);
}

function kindOf(name: string): string {
  const kinds = [
    ...(requiredVariables.some((required) => required === name) ? ["required"] : []),
    ...(secretNames.includes(name) ? ["secret"] : []),
    ...(localOnly.some((local) => local === name) ? ["local only"] : []),
  ];
  return kinds.join(", ") || "optional";
}

function counted(limiter: string): string {
  return limiter === "RATE_LIMIT_API" ? "device; without its token per IP (IPv6: /64)" : "IP (IPv6: /64)";
}

function bindings(): string[][] {
  const text = readFileSync("wrangler.toml", "utf8");
  return [...text.matchAll(/^\[{1,2}(\w+)\]{1,2}\n((?:\w+ = .*\n?)*)/gm)].flatMap(([, kind = "", body = ""]) => {
    const [, limit, period] = /limit = (\d+), period = (\d+)/.exec(body) ?? [];
    const name = /^(?:binding|name) = "(\w+)"/m.exec(body)?.[1];
    return name ? [[code(name), kind, limit ? `${limit} in ${period} s, per ${counted(name)}` : "–"]] : [];
  });
}
