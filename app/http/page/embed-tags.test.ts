import { expect, test } from "vitest";
import type { Embed } from "#app/core/embed.ts";
import { withEmbedTags } from "./embed-tags.ts";

const html = "<html><head><title>A</title></head><body></head></body></html>";

test("a page without embeds stays as it is", () => {
  expect(withEmbedTags(html, [], "n1")).toBe(html);
});

test("styles, inline code and scripts are at the end of the head, in that order, and scripts have the nonce", () => {
  const embed: Embed = {
    scripts: [
      { src: "https://skua.example/a.js", attributes: { "data-domain": "a.example" } },
      { src: "https://skua.example/b.js", attributes: { async: true } },
    ],
    inline: "let a = '$&';",
    stylesheets: ["https://skua.example/a.css"],
  };
  const [, guard = "none"] = /<script nonce="n1">(.*?)<\/script>/.exec(withEmbedTags(html, [{}], "n1")) ?? [];
  expect(guard).toContain("stopPropagation");
  expect(withEmbedTags(html, [embed], "n1").replace(`<script nonce="n1">${guard}</script>`, "")).toBe(
    "<html><head><title>A</title>" +
      '<link rel="stylesheet" href="https://skua.example/a.css">' +
      `<script nonce="n1" data-third-party>let a = '$&';</script>` +
      '<script nonce="n1" data-third-party src="https://skua.example/a.js" defer data-domain="a.example"></script>' +
      '<script nonce="n1" data-third-party src="https://skua.example/b.js" async></script>' +
      "</head><body></head></body></html>",
  );
});

test("an attribute's value can't leave its quotes", () => {
  const scripts = [{ src: "https://skua.example/?a&b", attributes: { "data-a": '"><script>' } }];
  expect(withEmbedTags(html, [{ scripts }], "n1")).toContain(
    'src="https://skua.example/?a&amp;b" defer data-a="&quot;&gt;&lt;script&gt;"></script></head>',
  );
});
