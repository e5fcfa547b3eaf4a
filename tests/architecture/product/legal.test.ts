import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { legalMessages } from "#app/product/legal/messages.ts";
import { legalFacts, legalFactsWith } from "#tests/support/products/legal-facts.ts";

const folder = "app/product/legal";
const sources = readdirSync(folder)
  .filter((file) => file.endsWith("messages.ts"))
  .map((file) => readFileSync(`${folder}/${file}`, "utf8"))
  .join("\n");
const thirdParty = {
  name: "Skua Analytics",
  purpose: "Counts visits.",
  privacyUrl: "https://skua.example/privacy",
  stores: ["skua_id, for a year."],
  pages: "public",
};

/** What a page says only where it is so, and the facts of it that the page has to name. */
const conditions: [fact: string, page: keyof typeof legalMessages.en, so: object, not: object, named: string[]][] = [
  ["vatId", "imprint", sellerWith("DE111111111"), sellerWith(null), ["DE111111111"]],
  ["imprint", "imprint", { imprint: ["A. Gull"] }, { imprint: [] }, ["A. Gull"]],
  ["ofAccount", "privacy", { ofAccount: ["We store gulls."] }, { ofAccount: [] }, ["We store gulls."]],
  ["hasFreePlan", "terms", { hasFreePlan: false }, { hasFreePlan: true }, [legalFacts.product]],
  ["afterFirstTerm", "terms", { afterFirstTerm: "month-notice" }, { afterFirstTerm: "another-term" }, []],
  ["friendDiscount", "terms", { friendDiscount: "€5" }, { friendDiscount: null }, ["€5"]],
  ["friendDiscount", "privacy", { friendDiscount: "€5" }, { friendDiscount: null }, ["__Host-visit"]],
  ["hasCancellationPage", "terms", { hasCancellationPage: true }, { hasCancellationPage: false }, []],
  [
    "hasCancellationPage",
    "privacy",
    { hasCancellationPage: true },
    { hasCancellationPage: false },
    ["__Host-cancelled"],
  ],
  ["withdrawalDays", "privacy", { withdrawalDays: 14 }, { withdrawalDays: "off" }, ["__Host-withdrawn"]],
  ["waitsIn", "privacy", { waitsIn: "the queue" }, { waitsIn: null }, []],
  [
    "waitsIn",
    "privacy",
    { waitsIn: "the queue", withdrawalDays: "off" },
    { waitsIn: null, withdrawalDays: "off" },
    ["__Host-entered"],
  ],
  ["intervals", "terms", { intervals: ["month", "year"] }, { intervals: ["month"] }, []],
  [
    "afterFirstTerm",
    "terms",
    { afterFirstTerm: "month-notice", intervals: ["year"] },
    { afterFirstTerm: "month-notice", intervals: ["month"] },
    [],
  ],
  ["comparesCustomers", "privacy", { comparesCustomers: true }, { comparesCustomers: false }, []],
  ["errorReceiver", "privacy", { errorReceiver: "Gannet Inc." }, { errorReceiver: null }, ["Gannet Inc."]],
  [
    "ofFeatures",
    "privacy",
    { ofFeatures: [{ title: "Skua", text: ["Skua Check"] }] },
    { ofFeatures: [] },
    ["Skua Check"],
  ],
  [
    "thirdParties",
    "privacy",
    { thirdParties: [thirdParty] },
    { thirdParties: [] },
    [thirdParty.name, thirdParty.purpose, thirdParty.privacyUrl, ...thirdParty.stores],
  ],
  ["withdrawalDays", "terms", { withdrawalDays: 30 }, { withdrawalDays: "off" }, ["30", legalFacts.seller.name]],
];

function sellerWith(vatId: string | null) {
  return { seller: { ...legalFacts.seller, vatId } };
}

function linesOf(page: keyof typeof legalMessages.en, facts: object): string[] {
  return legalMessages.en[page].sections(legalFactsWith(facts)).flatMap(({ text }) => text.flat());
}

/** A team's own page may be the same whatever the config says, so only the facts that a page asks for are tried. */
function asksFor(page: keyof typeof legalMessages.en, facts: object): boolean {
  const asked = new Set<string | symbol>();
  const watched = new Proxy(legalFactsWith({}), {
    get: (all, fact): unknown => (asked.add(fact), Reflect.get(all, fact)),
  });
  legalMessages.en[page].sections(watched);
  return Object.keys(facts).every((fact) => asked.has(fact));
}

test.each(conditions.filter(([fact, page, so]) => sources.includes(fact) && asksFor(page, so)))(
  "what depends on %s is said on the %s page where it is so, and left out where it isn't",
  (_fact, page, so, not, named) => {
    const [withIt, without] = [linesOf(page, so), linesOf(page, not)];
    const said = withIt.filter((line) => !without.includes(line)).join("\n");
    expect(said).not.toBe("");
    for (const fact of named) expect(said).toContain(fact);
    expect(without.join("\n")).not.toMatch(/\b(undefined|null|NaN)\b/);
    expect(without).not.toContain("");
  },
);

test("nobody reads about withdrawing where nobody can", () => {
  const facts = { withdrawalDays: "off", friendDiscount: "€5" };
  const lines = [...linesOf("terms", facts), ...linesOf("privacy", facts)];
  expect(lines.filter((line) => /withdrawn? (from|after)|__Host-withdrawn/.test(line))).toEqual([]);
});
