import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { isMessagesFile } from "./message-overrides.ts";

/** The types of all messages files, in place of a list to keep: app/message-overrides.ts checks a product's own texts by them. */
export function writeMessageTypes(): void {
  const files = globSync("app/**/*messages.ts")
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => isMessagesFile(`/${path}`))
    .toSorted();
  const types = files.map((path) => `    typeof import("#${path}"),\n`).join("");
  mkdirSync(".react-router", { recursive: true });
  writeFileSync(
    ".react-router/message-files.d.ts",
    `// By \`react-router typegen\`, see react-router.config.ts.\ndeclare module "message-files" {\n  export type MessageFiles = [\n${types}  ];\n}\n`,
  );
}
