/** For `node --import`: applies the product's own texts to emails that a script renders without a build (email preview, gallery). */
import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { isMessagesFile, onlyOf, ownMessagesOf, withOverrides } from "./message-overrides.ts";

const own = ownMessagesOf(process.env["FOYER_PRODUCT"] || undefined);

if (existsSync(own))
  registerHooks({
    load(url, context, nextLoad) {
      const name = /\?own-messages=(.+)\.ts$/.exec(url)?.[1];
      if (name) return typeScript(onlyOf(readFileSync(own, "utf8"), (each) => each === name));
      const path = url.startsWith("file:") ? fileURLToPath(url) : "";
      const changed = isMessagesFile(path) ? withOverrides(path, readFileSync(path, "utf8"), own) : null;
      return changed === null ? nextLoad(url, context) : typeScript(changed);
    },
  });

function typeScript(source: string) {
  return { format: "module-typescript" as const, source, shortCircuit: true };
}
