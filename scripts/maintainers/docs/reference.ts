import { format } from "oxfmt";
import { type Page, spell } from "./markdown.ts";
import { operatorApiPage, productApiPage } from "./pages/apis.ts";
import { emailsPage } from "./pages/emails.ts";
import { quotasPage } from "./pages/quotas.ts";
import { routesPage } from "./pages/routes.ts";
import { variablesPage } from "./pages/variables.ts";

/** Every file of docs/reference with its formatted text. */
export async function reference(): Promise<Map<string, string>> {
  const pages: Page[] = [
    routesPage(),
    emailsPage(),
    variablesPage(),
    productApiPage(),
    operatorApiPage(),
    quotasPage(),
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
    "What no single file of the code shows. `npm run docs` writes these pages from the code, and so does the pre-commit hook.";
  return {
    file: "README.md",
    title: "Reference",
    about,
    sections: [
      pages.map(({ file, title }) => `- [${title}](${file})`).join("\n"),
      [
        "Limits, states and tables are in the code, `*rules.ts` and `*schema.ts` of each folder in `app/modules` and `app/features`, and the fields of a form in the",
        "`form.ts` beside its page. Rules that span modules are in",
        "the guides: [pages and forms](../guides/pages.md), [accounts](../guides/accounts.md), [billing](../guides/billing.md),",
        "[the product API](../guides/product-api.md).",
      ].join("\n"),
    ],
  };
}
