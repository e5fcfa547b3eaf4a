import { readFileSync } from "node:fs";

const names = ["CODE_PEPPER", "ENTITLEMENT_SIGNING_KEY", "OPERATOR_TOKEN"] as const;

/** The Worker's own secrets, as `npm run secrets -- --save FILE` wrote them. Throws an error that says what is wrong. */
export function readSecrets(file: string): Record<(typeof names)[number], string> {
  const found = new Map(Object.entries(parse(file)));
  const text = (name: string) => String(found.get(name) ?? "");
  const missing = names.filter((name) => text(name) === "");
  if (missing.length > 0) throw new Error(`${file} lacks ${missing.join(", ")}`);
  return {
    CODE_PEPPER: text("CODE_PEPPER"),
    ENTITLEMENT_SIGNING_KEY: text("ENTITLEMENT_SIGNING_KEY"),
    OPERATOR_TOKEN: text("OPERATOR_TOKEN"),
  };
}

function parse(file: string): object {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof parsed === "object" && parsed !== null) return parsed;
  } catch {
    // The same message as for JSON that is no object.
  }
  throw new Error(`${file} isn't what npm run secrets -- --save wrote`);
}
