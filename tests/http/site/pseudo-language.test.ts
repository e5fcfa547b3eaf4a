import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { visitorMessages } from "#app/http/request/visitor.messages.ts";
import { product } from "#app/product/config.ts";
import { leftBehind } from "#tests/support/products/pseudo-language.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { copyRepository } from "../../../scripts/maintainers/checks/repository-copy.ts";
import { testAccountScenes } from "../../../scripts/gallery/scenes.ts";
import { type TestAccounts, setUpAccounts } from "#tests/browser/support/test-accounts.ts";
import { SAMPLE_DETAILS } from "stripe-emulator/facts";

let accounts: TestAccounts;

const site = useSite();
beforeAll(async () => {
  accounts = await setUpAccounts(site);
  await site.switchBuild(buildInPseudo());
}, 240_000);

/** The site with every messages file in an invented language. */
function buildInPseudo(): string {
  const cwd = copyRepository("pseudo");
  const files = readdirSync(join(cwd, "app"), { recursive: true, encoding: "utf8" });
  for (const file of files
    .filter((name) => /(^|[./])messages\.ts$/.test(name) && name !== "core/messages.ts")
    .map((name) => join(cwd, "app", name))) {
    const source = readFileSync(file, "utf8");
    const inPseudo = source
      .replaceAll(/= \{ en \};/g, "= { en: pseudoWords(en) };")
      .replaceAll(/= \{ en: (\w+) \};/g, "= { en: pseudoWords($1) };");
    writeFileSync(file, `import { pseudoWords } from "#tests/support/products/pseudo-language.ts";\n${inPseudo}`);
  }
  execFileSync("node", ["scripts/site/build.ts"], { cwd, stdio: ["ignore", "ignore", "inherit"] });
  return join(cwd, "build");
}

/**
 * What a page may show that isn't from a messages file: the configuration's own texts, and names of people and
 * devices.
 */
const known = new RegExp(
  [
    ...textsOf(product)
      .toSorted((one, other) => other.length - one.length)
      .map((text) => text.replaceAll(/[^\p{L}\p{N}\s]/gu, "\\$&").replace("\\{day\\}", "[^.;]+")),
    // The payer's name, if the product asks for it.
    SAMPLE_DETAILS.name,
    ...Object.values(SAMPLE_DETAILS.address).filter((part) => typeof part === "string"),
    "D02 X285 Dublin",
    visitorMessages.en.unknown,
    "Anna's laptop",
    "A machine whose owner gave it a rather long name",
    "macOS 15.1",
    "Linux",
    // A card is called the same in every language.
    String.raw`Visa ••••\s\d{4}`,
    // Email addresses, URLs, licence keys.
    String.raw`[\w.+-]+@[\w.-]+`,
    String.raw`https?://\S+`,
    String.raw`\b[0-9A-Z]{4}(-[0-9A-Z]{4,5}){7}`,
  ].join("|"),
  "g",
);

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test.each(testAccountScenes.filter(({ action }) => !action))(
  "$name has no untranslatable text",
  async ({ who, path, status = 200 }) => {
    const visitor = accounts.visitors[who];
    await visitor.open(accounts.fill(path));
    expect(visitor.status).toBe(status);
    expect(leftBehind(visitor.html, known)).toEqual([]);
  },
);
