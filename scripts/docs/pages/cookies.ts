import { readFileSync } from "node:fs";
import { code, type Page, sentence, table } from "../markdown.ts";
import { sourceFiles } from "../source.ts";

/** The declaration of each cookie, with the comment above it; pages about cookies name them, too. */
export function cookies(): { name: string; comment: string }[] {
  const found = sourceFiles().flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.flatMap((line, at) => {
      const [name] = /__Host-[a-z]+/.exec(line) ?? [];
      const [, comment = ""] = /\/\*\* (.*) \*\//.exec(lines[at - 1] ?? "") ?? [];
      return name ? [{ name, comment }] : [];
    });
  });
  const described = new Map(found.map(({ name }) => [name, ""]));
  for (const { name, comment } of found) if (comment !== "") described.set(name, comment);
  return [...described].map(([name, comment]) => ({ name, comment })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function cookiesPage(): Page {
  return {
    file: "cookies.md",
    title: "Cookies",
    about: "`__Host-`: Secure, path `/`, no domain. All are SameSite=Lax, and all but the reference id are HttpOnly.",
    sections: [
      table(
        ["cookie", "contains, and how long it is stored"],
        cookies().map(({ name, comment }) => [code(name), sentence(comment)]),
      ),
    ],
  };
}
