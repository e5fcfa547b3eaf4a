import { describe, expect, test } from "vitest";
import { settingsIn, withoutBlocks, withoutImports, withoutSettings } from "./strike.ts";

describe("a list without a feature", () => {
  const list = `import type { Feature } from "./feature.ts";
import { boats } from "./features/boats/feature.ts";
import { oars, sails } from "./features/sails/feature.ts";

export const features: readonly Feature[] = [boats, ...sails, oars];
export const names = ["sails"];
`;
  test("lacks its import and its items, and keeps the others", () => {
    expect(withoutImports("sails", "app/features.ts", list).replaceAll(/\s+/g, " ")).toBe(
      'import type { Feature } from "./feature.ts"; import { boats } from "./features/boats/feature.ts"; ' +
        'export const features: readonly Feature[] = [boats, ]; export const names = ["sails"]; ',
    );
  });

  test("lacks what it spreads of it into an object", () => {
    const texts = `import { sailEmails } from "./features/sails/emails.messages.ts";
const texts = { en: { ...boatEmails.en, ...sailEmails.en, ...oars } };
`;
    expect(withoutImports("sails", "app/emails.ts", texts).replaceAll(/\s+/g, " ")).toBe(
      "const texts = { en: { ...boatEmails.en, ...oars } }; ",
    );
  });

  test("lacks what it exports of it", () => {
    const tables = 'export * from "#app/modules/a/schema.ts";\nexport * from "#app/features/sails/schema.ts";\n';
    expect(withoutImports("sails", "app/db/schema.ts", tables)).toBe('export * from "#app/modules/a/schema.ts";\n');
  });

  test("is unchanged if it knows nothing of the feature", () => {
    expect(withoutImports("sail", "app/features.ts", list)).toBe(list);
  });
});

test("a config loses the settings of a feature with their comments, and nothing of that name within others", () => {
  const config = `export const product = withPoints({
  name: "Dory",
  /** How many. */
  sails: [{ sails: 2 }],
  plans: [{ sails: 1 }],
  oars: 2,
  /** A flag. */
  flag: "x",
});
`;
  expect(withoutSettings(["sails", "oars"], "app/product/config.ts", config).replaceAll(/\s+/g, " ")).toBe(
    'export const product = withPoints({ name: "Dory", plans: [{ sails: 1 }], /** A flag. */ flag: "x", }); ',
  );
});

test("a document loses the blocks of a feature, and keeps those of others", () => {
  const block = (name: string) => `<!-- feature ${name} -->\n\nAbout ${name}.\n\n<!-- /feature -->\n\n`;
  const row = (name: string) => `| [${name}](../app/features/${name}) | what |\n`;
  expect(withoutBlocks("sails", row("boats") + row("sails") + row("sailors"))).toBe(row("boats") + row("sailors"));
  expect(withoutBlocks("sails", "  # feature sails\n  SAILS: 1\n  # /feature\n  OARS: 2\n")).toBe("  OARS: 2\n");
  expect(withoutBlocks("sails", `# A\n\n${block("boats")}${block("sails")}End.\n`)).toBe(
    `# A\n\n${block("boats")}End.\n`,
  );
});

test("the settings of a feature are the keys that it adds to the config", () => {
  const rules = `declare module "#app/modules/catalogue/rules.ts" {
  interface ProductConfig {
    /** How many. */
    sails?: readonly { area: number }[];
    wind: string;
  }
}
`;
  expect(settingsIn(rules)).toEqual(["sails", "wind"]);
});
