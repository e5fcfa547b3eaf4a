import { parseArgs } from "node:util";
import { type Theme, themes as allThemes } from "./check.ts";

const usage = `npm run gallery -- [--only WORDS]… [--theme ${allThemes.join("|")}]… [--port N] [--readme]`;

/**
 * `--readme` takes the pictures of README, `--social` the link previews for `npm run brand`, and nothing else. Without any, everything in light and dark.
 * `--only` takes a part of a scene's name. Without `--port` the demo's site uses two free ports.
 */
export function readOptions(given: string[], scenes: { name: string }[]) {
  const { only, theme, port, social, readme } = readArguments(given);
  const themes = allThemes.filter((each) => (theme.length === 0 ? each !== "contrast" : theme.includes(each)));
  const isWanted = ({ name }: { name: string }) => only.length === 0 || only.some((part) => name.includes(part));
  const isKnown = theme.every((each) => allThemes.some((known) => known === each));
  if (!isKnown || !scenes.some(isWanted)) return stop(`No such ${isKnown ? "scene" : "theme"}. ${usage}`);
  const picture = social ? "social" : readme ? "readme" : null;
  return {
    isWanted,
    themes: themes as Theme[],
    port: port === undefined ? null : Number(port),
    picture,
    folder: ".gallery",
  };
}

function readArguments(given: string[]) {
  const several = { type: "string", multiple: true, default: [] as string[] } as const;
  try {
    const options = {
      only: several,
      theme: several,
      port: { type: "string" },
      social: { type: "boolean", default: false },
      readme: { type: "boolean", default: false },
    } as const;
    return parseArgs({ args: given, options }).values;
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

function stop(why: string): never {
  console.error(why);
  process.exit(2);
}
