import { format } from "oxfmt";
import { exportedConstants } from "./constants.ts";
import { type Page, spell } from "./markdown.ts";
import { operatorApiPage, productApiPage } from "./pages/apis.ts";
import { cookiesPage } from "./pages/cookies.ts";
import { emailsPage } from "./pages/emails.ts";
import { errorsPage } from "./pages/errors.ts";
import { formsPage } from "./pages/forms.ts";
import { limitsPage } from "./pages/limits.ts";
import { routesPage } from "./pages/routes.ts";
import { statesPage } from "./pages/states.ts";
import { stripeEventsPage } from "./pages/stripe-events.ts";
import { tablesPage } from "./pages/tables.ts";
import { variablesPage } from "./pages/variables.ts";

export const folder = "docs/reference";

/** Every file of docs/reference with its formatted text. */
export async function reference(): Promise<Map<string, string>> {
  const constants = await exportedConstants();
  const pages: Page[] = [
    routesPage(),
    await formsPage(),
    statesPage(constants),
    limitsPage(constants),
    emailsPage(),
    errorsPage(),
    variablesPage(),
    tablesPage(),
    productApiPage(),
    operatorApiPage(),
    cookiesPage(),
    stripeEventsPage(),
  ];
  const files = [...pages, contents(pages)].map(async (page) => {
    const { code, errors } = await format(page.file, spell(page), { printWidth: 120 });
    if (errors.length > 0) throw new Error(`${page.file}: ${errors[0]?.message}`);
    return [page.file, code] as const;
  });
  return new Map(await Promise.all(files));
}

function contents(pages: readonly Page[]): Page {
  const about =
    "What the code says of itself: `npm run docs` writes these pages, and a test fails while they differ from the code.";
  return {
    file: "README.md",
    title: "Reference",
    about,
    sections: [
      pages.map(({ file, title }) => `- [${title}](${file})`).join("\n"),
      [
        "Rules that span modules are in the guides: [pages and forms](../guides/pages.md), [voice](../guides/voice.md), [accounts](../guides/accounts.md),",
        "[billing](../guides/billing.md), [the waitlist](../guides/waitlist.md), [the product API](../guides/product-api.md).",
      ].join("\n"),
    ],
  };
}
