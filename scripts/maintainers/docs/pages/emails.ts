import { globSync, readFileSync } from "node:fs";
import { emailTexts } from "#app/emails.ts";
import { codeDigits } from "#app/modules/accounts/codes/digits.rules.ts";
import { hooks } from "#app/features.server.ts";
import { unsubscribeSubjectOf } from "#app/modules/email/unsubscribe.rules.ts";
import { code, type Page, table } from "../markdown.ts";

/** Every template with its comment in the types of the modules' emails. */
function templates(): { name: string; comment: string }[] {
  const described = /(?:\/\*\* ([^\n]*) \*\/\n)?  \| \(?\{\s+template: "([a-z-]+)"/g;
  const comments = new Map(
    globSync("app/{modules,features}/**/*emails.messages.ts").flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(described)].map(
        ([, comment = "", name = ""]) => [name, comment] as const,
      ),
    ),
  );
  return Object.keys(emailTexts.en).map((name) => ({ name, comment: comments.get(name) ?? "" }));
}

export function emailsPage(): Page {
  return {
    file: "emails.md",
    title: "Emails",
    about: [
      "Every template, from the `emails.messages.ts` of each module. Each email has a text and an HTML part, fetches nothing, says why it was",
      `sent, and has the support address as Reply-To. A code is the only run of ${codeDigits} digits in its subject. Those with a switch can be turned`,
      "off in the settings, and the outbox refuses them then. These, and emails that go to many at once, have",
      "`List-Unsubscribe` and `List-Unsubscribe-Post` (RFC 8058). `npm run mail:preview` shows all.",
    ].join("\n"),
    sections: [
      table(
        ["template", "one click stops", "sent when"],
        templates().map(({ name, comment }) => [code(name), stoppedBy(name), comment]),
      ),
    ],
  };
}

function stoppedBy(name: string): string {
  const subject = unsubscribeSubjectOf({ hooks }, name);
  return subject ? code(subject) : "–";
}
