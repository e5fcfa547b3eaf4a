import { parseArgs, type ParseArgsConfig } from "node:util";

/** The options of a command, which ends here after `--help`, or with `usage` when they are wrong. */
export function readOptions<Options extends NonNullable<ParseArgsConfig["options"]>>(options: Options, usage: string) {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}

/** Ends the command as failed. */
export function stop(why: string): never {
  console.error(why);
  process.exit(1);
}
