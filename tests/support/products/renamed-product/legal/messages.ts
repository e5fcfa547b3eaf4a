import type { Messages } from "#app/core/messages.ts";

type Facts = {
  product: string;
  seller: { name: string; address: readonly string[] };
  imprint: readonly string[];
  support: string;
  version: string;
  errorReceiver: string | null;
};
type LegalText = {
  title: string;
  lead: (facts: Facts) => string;
  sections: (facts: Facts) => { title: string; text: (string | string[])[] }[];
};

const en = {
  terms: {
    title: "House rules",
    lead: ({ version }) => `As of ${version}.`,
    sections: ({ product, support }) => [
      { title: "The station", text: [`${product} plays what you plan. Questions go to ${support}.`] },
    ],
  },
  privacy: {
    title: "What we know of you",
    lead: ({ product }) => `${product} stores little.`,
    sections: ({ errorReceiver }) => [
      { title: "Stored", text: [["Your address", "Your programme"]] },
      ...(errorReceiver === null ? [] : [{ title: "Reported", text: [`Faults go to ${errorReceiver}.`] }]),
    ],
  },
  imprint: {
    title: "Who runs this",
    lead: ({ product }) => `The people of ${product}.`,
    sections: ({ seller, imprint }) => [{ title: seller.name, text: [[...seller.address, ...imprint].join("\n")] }],
  },
} satisfies Record<string, LegalText>;

type LegalPage = keyof typeof en;

export function isLegalPage(word: string): word is LegalPage {
  return Object.hasOwn(en, word);
}

export const legalMessages: Messages<Record<LegalPage, LegalText>> = { en };
