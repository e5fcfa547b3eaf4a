import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { withoutComments } from "../code/imports.ts";

/** No input becomes code, markup or a statement, and the site uses none of these browser and machine features. */
describe("the site's code never uses", () => {
  const code = ["app", "workers"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`))
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !/^app\/features\/[^/]+\/(tests|tools)\//.test(path))
    .toSorted();
  const texts = new Map(code.map((path) => [path, withoutComments(path, readFileSync(path, "utf8"))] as const));
  const found = (use: RegExp) => code.filter((path) => use.test(texts.get(path) ?? ""));

  test.each([
    ["text that is run", /\beval\(|new Function\(|javascript:|import\((?!")/],
    [
      "text that becomes markup",
      /dangerouslySetInnerHTML|\b(inner|outer)HTML\b|document\.write|insertAdjacent|srcdoc/i,
    ],
    ["text that becomes a regular expression", /new RegExp\(/],
    ["text that becomes an SQL statement", /sql\.raw|\.exec\(`|\.prepare\(`/],
    ["a command of the operating system", /child_process|process\.exec/],
    ["a parser of XML", /DOMParser|XMLHttpRequest|fast-xml/],
    ["a socket or a message from another window", /\bWebSocket|postMessage\(|addEventListener\("message"/],
    ["storage in the browser", /\b(local|session)Storage\b|indexedDB|document\.cookie\s*=/],
    ["predictable randomness", /Math\.random/],
  ])("%s", (_what, use) => {
    expect(code.length).toBeGreaterThan(300);
    expect(found(use)).toEqual([]);
  });

  test("a call to another host, except by the integrations and the tunnel", () => {
    const calling = found(/(?<![.\w])fetch\((?!`\$\{href\(|request(, env, ctx[,)]|: Request))/);
    expect(calling.length).toBeGreaterThan(2);
    expect(
      calling.filter(
        (path) =>
          !/^(app\/integrations|app\/features\/[^/]+\/integrations|workers\/monitoring\/forwarding)\//.test(path),
      ),
    ).toEqual([]);
  });
});
