import { expect, test } from "vitest";
import { parseEmailSender, showEmailSender } from "./email-sender.ts";

test.each([
  ["hello@shop.example", "", "hello@shop.example"],
  [" <hello@shop.example> ", "", "hello@shop.example"],
  ["Heron <hello@shop.example>", "Heron", "hello@shop.example"],
  ["Müller, Söhne & Co. <hello@shop.example>", "Müller, Söhne & Co.", "hello@shop.example"],
  ['"Müller, Söhne & Co." <hello@shop.example>', "Müller, Söhne & Co.", "hello@shop.example"],
  [String.raw`"The \"Heron\" \\ Co" <hello@shop.example>`, String.raw`The "Heron" \ Co`, "hello@shop.example"],
  ['The "Heron" <hello@shop.example>', 'The "Heron"', "hello@shop.example"],
  ['"a" and "b" <hello@shop.example>', '"a" and "b"', "hello@shop.example"],
  ["A < B <hello@bücher.example>", "A < B", "hello@xn--bcher-kva.example"],
  ["Shop", "", "Shop"],
])("%s", (text, name, address) => {
  expect(parseEmailSender(text)).toEqual({ name, address });
});

test("is shown without quotation marks", () => {
  expect(showEmailSender({ name: "Müller, Söhne & Co.", address: "a@shop.example" })).toBe(
    "Müller, Söhne & Co. <a@shop.example>",
  );
  expect(showEmailSender({ name: "", address: "a@shop.example" })).toBe("a@shop.example");
});
