import { parseArgs, type ParseArgsConfig } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Reads a command's options. Ends the process after `--help`, or with `usage` when they are wrong. */
export function readOptions<Known extends Options>(options: Known, usage: string) {
  return readArguments({ options }, usage).values;
}

/** Like `readOptions`, with the arguments beside the options as `positionals`. */
export function readCommandLine<Known extends Options>(options: Known, usage: string) {
  return readArguments({ options, allowPositionals: true }, usage);
}

function readArguments<Config extends ParseArgsConfig>(config: Config, usage: string) {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ ...config, args });
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}

export function stop(why: string): never {
  console.error(why);
  process.exit(1);
}
