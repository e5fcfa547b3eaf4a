/** The pages of `npm run mail:preview`: an overview by module, and a page for each email. */
import { escapeHtml } from "#app/core/text/escape-html.ts";
import { emailTexts } from "#app/emails.ts";
import { accountEmails } from "#app/modules/accounts/emails.messages.ts";
import { closingEmails } from "#app/modules/closing/emails.messages.ts";
import { productFactsOf, emailTextOf } from "#app/modules/email/write-text.rules.ts";
import { referralEmails } from "#app/modules/referrals/emails.messages.ts";
import { cancellationEmails } from "#app/modules/billing/cancellations/emails.messages.ts";
import { orderEmails } from "#app/modules/billing/orders/emails.messages.ts";
import { planEmails } from "#app/modules/billing/subscriptions/emails.messages.ts";
import { renderEmail } from "#app/modules/email/render-email.ts";
import { kindOf } from "#app/modules/email/rules.ts";
import { featureTools } from "../features.ts";
import { usageEmails } from "#app/modules/billing/usage/emails.messages.ts";
import { withdrawalEmails } from "#app/modules/billing/withdrawals/emails.messages.ts";
import { product } from "#app/product/config.ts";
import { samples } from "./samples.ts";

type EmailPage = {
  /** The name of its files, without extension. */
  name: string;
  template: string;
  subject: string;
  preview: string;
  reason: string;
  kind: string | null;
  text: string;
  html: string;
};

/** By the module that sends them. */
const modules: { id: string; title: string; has: object }[] = [
  { id: "account", title: "Account", has: { ...accountEmails.en, ...closingEmails.en } },
  ...featureTools.flatMap(({ name, emails }) => (emails ? [{ id: name, title: emails.title, has: emails.texts }] : [])),
  { id: "orders", title: "Orders", has: { ...orderEmails.en, ...withdrawalEmails.en, ...cancellationEmails.en } },
  { id: "plan", title: "Plan", has: planEmails.en },
  { id: "usage", title: "Usage", has: usageEmails.en },
  { id: "referrals", title: "Friends", has: referralEmails.en },
];

/** Every file by its name. A template with several samples has a page for each. */
export function previewPages(): Map<string, string> {
  const names = productFactsOf(product);
  const emails: EmailPage[] = Object.entries(samples).flatMap(([template, contents]) =>
    contents.map((content, index) => {
      const written = emailTextOf(emailTexts, content, names);
      const name = index === 0 ? template : `${template}-${index + 1}`;
      const facts = { preview: written.before[0] ?? "", reason: written.reason, kind: kindOf(template) };
      return { name, template, ...facts, ...renderEmail(written, "mara@example.org", names) };
    }),
  );
  return new Map([
    ["index.html", indexPage(emails)],
    ...emails.flatMap((email, index): [string, string][] => [
      [`${email.name}.html`, emailPage(email, emails[index - 1], emails[index + 1])],
      [`${email.name}.light.html`, inScheme(email.html, "light")],
      [`${email.name}.dark.html`, inScheme(email.html, "dark")],
      [`${email.name}.txt`, email.text],
    ]),
  ]);
}

/** Renders an email as a client with that colour scheme does, whatever this browser's own is. */
function inScheme(html: string, scheme: "light" | "dark"): string {
  const media = scheme === "dark" ? "@media all" : "@media not all";
  return html.replace("@media (prefers-color-scheme: dark)", media).replaceAll("light dark", scheme);
}

function indexPage(emails: EmailPage[]): string {
  const byModule = modules.map((module) => ({
    ...module,
    emails: emails.filter(({ template }) => template in module.has),
  }));
  const links = byModule
    .map(({ id, title, emails: own }) => `<span><a href="#${id}">${title}</a> ${own.length}</span>`)
    .join("\n");
  const sections = byModule.map(
    ({ id, title, emails: own }) =>
      `<section id="${id}">\n<h2>${title}</h2>\n<div class="mails">\n${own.map(emailCard).join("\n")}\n</div>\n</section>`,
  );
  const head = `<h1>${emails.length} emails</h1>\n<p class="quiet">Every email of ${escapeHtml(product.name)}, with sample data. Nothing is sent.</p>\n<nav aria-label="Modules">${links}</nav>`;
  return page("Emails", `${head}\n${sections.join("\n")}`);
}

/** What an inbox shows of an email, both colour schemes, and its text part. */
function emailCard({ name, subject, preview, reason, kind, text }: EmailPage): string {
  const looks = ["light", "dark"].map(
    (scheme) =>
      `<a class="look" href="${name}.${scheme}.html"><iframe src="${name}.${scheme}.html" title="${scheme}" loading="lazy" tabindex="-1" inert></iframe><span>${scheme}</span></a>`,
  );
  const off = kind ? ` <span class="chip">can be turned off: ${kind}</span>` : "";
  return `<article>
<h3><a href="${name}.html">${escapeHtml(subject)}</a></h3>
<p>${escapeHtml(preview)}</p>
<p class="quiet"><code>${name}</code>${off}<br>${escapeHtml(reason)}</p>
<div class="looks">${looks.join("")}</div>
<details><summary>Text part</summary><pre>${escapeHtml(text)}</pre><a href="${name}.txt">${name}.txt</a></details>
</article>`;
}

function emailPage({ name, subject, text }: EmailPage, before?: EmailPage, after?: EmailPage): string {
  const frames = [600, 390].flatMap((width) =>
    ["light", "dark"].map(
      (scheme) =>
        `<figure><figcaption>${width} px, ${scheme}</figcaption><iframe src="${name}.${scheme}.html" title="${scheme}, ${width} pixels wide" width="${width}" height="680"></iframe></figure>`,
    ),
  );
  const ways = [
    before && `<a rel="prev" href="${before.name}.html">${before.name}</a>`,
    `<a href="index.html">All emails</a>`,
    after && `<a rel="next" href="${after.name}.html">${after.name}</a>`,
  ];
  return page(
    name,
    `<nav aria-label="Emails">${ways.filter(Boolean).join("\n")}</nav>\n<h1>${escapeHtml(subject)}</h1>\n<p class="quiet"><code>${name}</code></p>\n<div class="frames">\n${frames.join("\n")}\n<figure><figcaption>Text part</figcaption><pre>${escapeHtml(text)}</pre></figure>\n</div>`,
  );
}

/** Emails are 600 pixels wide; the overview shows them at about a quarter of that, two side by side. */
const styles = `
:root { color-scheme: light dark; --line: light-dark(#dcd8cf, #3a3630); --quiet: light-dark(#5b554c, #bab5ad) }
body { max-width: 80rem; margin: 0 auto; padding: 2rem clamp(1rem, 4vw, 3rem) 4rem; background: light-dark(#f6f4ef, #161310); color: light-dark(#1d1914, #efede7); font: 1rem/1.5 system-ui, sans-serif }
a { color: inherit; text-underline-offset: .2em } a:focus-visible, summary:focus-visible { outline: 2px solid; outline-offset: 3px }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25 } h2 { margin: 3rem 0 1rem; font-size: 1.25rem } h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere } p { margin: .25rem 0 }
.quiet { color: var(--quiet); font-size: .875rem } .chip { padding: 0 .5em; border: 1px solid var(--line); border-radius: 1em; white-space: nowrap }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 1rem 0; font-variant-numeric: tabular-nums }
.mails { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: 1rem; align-items: start }
article { padding: 1.25rem; border: 1px solid var(--line); border-radius: .875rem; background: light-dark(#fdfcfa, #1f1c18) }
.looks { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0 } .look { display: block; width: 162px; overflow: hidden; color: var(--quiet); font-size: .875rem }
.look iframe { display: block; box-sizing: border-box; width: 600px; height: 640px; margin: 0 -438px -463px 0; transform: scale(.27); transform-origin: 0 0; border: 4px solid var(--line); border-radius: 24px; pointer-events: none }
.frames { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }
figure { margin: 0; max-width: 100% } figcaption { font-size: .875rem; margin-bottom: .25rem } figure iframe { max-width: 100%; border: 1px solid var(--line) }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8125rem } figure pre { width: 600px; max-width: 100% }
`;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${styles}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
