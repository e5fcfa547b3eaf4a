import { emailTexts } from "#app/emails.ts";
import { emailTextOf, productFactsOf, type Written } from "#app/modules/email/write-text.rules.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { product } from "#app/product/config.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { samples } from "../../../scripts/mail-preview/samples.ts";

/** The texts of an email as the site writes it, for tests that recognise one by its subject or a sentence. */
export function emailOf(content: EmailContent): Written {
  return emailTextOf(emailTexts, content, productFactsOf(product));
}

/** The subjects of an email, with any facts in them. */
export function subjectOf(template: EmailContent["template"]): RegExp {
  const subjects = samples[template].map((sample) => {
    const facts = Object.entries(sample).map(([name, fact]) => [name, typeof fact === "string" ? gap : fact]);
    // Plans that differ in the sample differ here, too.
    if ("from" in sample && sample.from !== sample.to) facts.push(["from", `${gap} before`]);
    // Each fact has the type that it had in the sample.
    const content = { ...Object.fromEntries(facts), template } as EmailContent;
    return fillGaps(emailOf(content).subject).source;
  });
  return new RegExp(`^(?:${subjects.join("|")})$`);
}
