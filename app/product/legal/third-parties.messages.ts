import type { Messages } from "#app/core/messages.ts";
import type { LegalFacts, LegalSection } from "./legal-text.ts";

type Services = LegalFacts["thirdParties"];

const onPages: Record<Services[number]["pages"], string> = {
  public: "It's on our home page and legal pages while you're signed out.",
  account: "It's on our home page, legal pages and the pages of your account.",
};

/** What the privacy notice says about services of other companies on the site's pages; nothing where there are none. */
const en = {
  sections: (services: Services): LegalSection[] =>
    services.length === 0
      ? []
      : [
          {
            title: "Other companies' services on our pages",
            text: [
              "Some of our pages load services of other companies. Your browser connects to them directly, so they receive your IP address, which browser you use, and the address of the page.",
              services.map(({ name, purpose, stores, pages, privacyUrl }) =>
                [`${name}: ${purpose}`, onPages[pages], ...stores, `Its privacy notice: ${privacyUrl}`].join(" "),
              ),
            ],
          },
        ],
  /** Whether consent is needed is the team's question once another company stores something. */
  cookies: (services: Services) =>
    services.every(({ stores }) => stores.length === 0)
      ? "This site needs all of them to do what you ask it to. None is for advertising, so there's no cookie banner."
      : "This site needs all of them to do what you ask it to. What other companies' services store is listed below.",
};

export const thirdPartiesMessages: Messages<typeof en> = { en };
