import { expect, test } from "vitest";
import { emailTexts } from "#app/emails.ts";
import { emailTextOf } from "#app/modules/email/write-text.rules.ts";
import { renderEmail } from "#app/modules/email/render-email.ts";
import { leftBehind, pseudoWords } from "#tests/support/products/pseudo-language.ts";
import { samples } from "../../../scripts/mail-preview/samples.ts";

const names = {
  product: "Sample Product",
  support: "help@preview.example",
  lockedMeans: "Nothing moves.",
  free: { name: "Sample Product", points: [] },
};
const known = /Sample Product|[\w.+-]+@[\w.-]+|https?:\/\/\S+/g;

const contents = Object.entries(samples).flatMap(([template, all]) =>
  all.map((content, nth) => ({ template, nth, content })),
);

test.each(contents)("the email $template ($nth) has no untranslatable text", ({ content }) => {
  const { subject, text, html } = renderEmail(
    pseudoWords(emailTextOf(emailTexts, content, names)),
    "a@example.com",
    names,
  );
  expect(leftBehind(`<p>${subject}</p><pre>${text}</pre>${html}`, known)).toEqual([]);
});

test("an untranslatable text is found, in text content and in an attribute", () => {
  const page = `<p title="${pseudoWords("Good")}">${pseudoWords("Good, too")} <time>June</time></p>`;
  expect(leftBehind(page, known)).toEqual([]);
  expect(leftBehind(`${page}<p aria-label="Bad">Worse</p>`, known)).toEqual(["Bad", "Worse"]);
});
