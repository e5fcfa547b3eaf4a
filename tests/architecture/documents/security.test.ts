import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/**
 * The requirements of OWASP ASVS 5.0.0, section by section: each digit is one requirement, in the order of their numbers, and says from
 * which level on it is asked.
 */
const request = {
  "1.1": "22",
  "1.2": "1111122223",
  "1.3": "112222222223",
  "1.4": "222",
  "1.5": "123",
  "2.1": "122",
  "2.2": "112",
  "2.3": "12223",
  "2.4": "23",
  "3.1": "3",
  "3.2": "113",
  "3.3": "12223",
  "3.4": "11222233",
  "3.5": "11122333",
  "3.6": "3",
  "3.7": "22333",
  "4.1": "12233",
  "4.2": "23333",
  "4.3": "22",
  "4.4": "1222",
  "5.1": "2",
  "5.2": "112333",
  "5.3": "113",
  "5.4": "222",
  "6.1": "122",
  "6.2": "111111112222",
  "6.3": "11223333",
  "6.4": "112233",
  "6.5": "22222333",
  "6.6": "2223",
  "6.7": "33",
  "6.8": "2222",
  "7.1": "222",
  "7.2": "1111",
  "7.3": "22",
  "7.4": "11222",
  "7.5": "223",
  "7.6": "22",
  "8.1": "1233",
  "8.2": "1123",
  "8.3": "133",
  "8.4": "23",
  "9.1": "111",
  "9.2": "1222",
  "10.1": "22",
  "10.2": "223",
  "10.3": "22223",
  "10.4": "1111122222233333",
  "10.5": "22222",
  "10.6": "22",
  "10.7": "222",
  "11.1": "2233",
  "11.2": "22233",
  "11.3": "11233",
  "11.4": "1222",
  "11.5": "23",
  "11.6": "23",
  "11.7": "33",
  "12.1": "12233",
  "12.2": "11",
  "12.3": "22223",
  "13.1": "2333",
  "13.2": "222223",
  "13.3": "2233",
  "13.4": "1222233",
  "14.1": "22",
  "14.2": "12223333",
  "14.3": "122",
  "15.1": "12233",
  "15.2": "12233",
  "15.3": "1222222",
  "15.4": "3333",
  "16.1": "2",
  "16.2": "22222",
  "16.3": "2222",
  "16.4": "222",
  "16.5": "2223",
  "17.1": "23",
  "17.2": "22223333",
  "17.3": "22",
};
const every = Object.entries(request).flatMap(([section, levels]) =>
  [...levels].map((level, index) => ({ number: `${section}.${index + 1}`, level: Number(level) })),
);

const openings = ["Doesn't apply", "By the platform", "In writing", "Not met"];
const map = readFileSync("docs/security.md", "utf8");
const answers = new Map<string, Set<string>>();

/**
 * Each number is below the heading of its chapter: in the first cell of a row, or at the head of a line of a list.
 */
let chapters: string[] = [];
const strays: string[] = [];
for (const line of map.split("\n")) {
  if (line.startsWith("#")) chapters = [...line.matchAll(/\bV(\d+)\b/g)].map(([, chapter = ""]) => chapter);
  const item = /^- ([A-Z][a-z' ]+?): (.+)$/.exec(line);
  const opening = openings.find((opening) => opening === item?.[1]);
  const cell = /^\| ([\d., ]*)\| /.exec(line)?.[1];
  // In a list a reason follows its numbers in brackets, and may name others.
  const numbers = (opening ? (item?.[2] ?? "").replaceAll(/\([^()]*\)/g, "") : (cell ?? "")).match(/\d+\.\d+\.\d+/g);
  for (const number of numbers ?? []) {
    if (!chapters.includes(number.split(".")[0] ?? "")) strays.push(number);
    answers.set(number, (answers.get(number) ?? new Set()).add(opening ?? "a test"));
  }
}

describe("docs/security.md, compared with ASVS 5.0.0", () => {
  test("answers every requirement of levels 1 and 2 in exactly one way", () => {
    const wanted = every.filter(({ level }) => level < 3).map(({ number }) => number);
    expect(wanted.filter((number) => answers.get(number)?.size !== 1)).toEqual([]);
  });

  test("contains no unknown number, and none under the wrong chapter", () => {
    const known = new Set(every.map(({ number }) => number));
    expect([...answers.keys()].filter((number) => !known.has(number))).toEqual([]);
    expect(strays).toEqual([]);
  });
});

/** No input becomes code, markup or a statement, and the site uses none of these browser and machine features. */
describe("the site's code never uses", () => {
  const code = ["app", "workers"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`))
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !path.startsWith("workers/stripe-emulator/"))
    .toSorted();
  const found = (use: RegExp) => code.filter((path) => use.test(readFileSync(path, "utf8")));

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
    ["a socket or a message from another window", /\bWebSocket|postMessage|addEventListener\("message"/],
    ["storage in the browser", /\b(local|session)Storage\b|indexedDB|document\.cookie\s*=/],
    ["predictable randomness", /Math\.random/],
  ])("%s", (_what, use) => {
    expect(code.length).toBeGreaterThan(300);
    expect(found(use)).toEqual([]);
  });

  test("a call to another host, except by the integrations and the tunnel", () => {
    expect(found(/(?<![.\w])fetch\((?!request(, env, ctx[,)]|: Request))/)).toEqual([
      "app/client/ask-for-passkey.ts",
      "app/integrations/captcha/open-turnstile.server.ts",
      "app/integrations/email/fetch-json.server.ts",
      "app/integrations/stripe/payment-provider.server.ts",
      "workers/monitoring/forwarding/forward-envelope.server.ts",
    ]);
  });
});
