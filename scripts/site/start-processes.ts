import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { environment } from "../run.ts";

type Started = { child: ChildProcess; printed: () => string };

type Own = { env?: Record<string, string>; showsErrors?: boolean };

/** One of the processes: `end` ends it alone. */
type Member = { end: () => Promise<void>; printed: () => string };

/**
 * Processes that end together, when one of them exits or on a signal. What one with `showsErrors` writes to stderr is shown while it runs:
 * a Worker's errors and warnings, of wrangler. Everything else is kept for when it ends unexpectedly.
 */
export function startProcesses(): {
  begin: (name: string, command: string, args: string[], own?: Own) => Member;
  end: (code: number) => Promise<void>;
} {
  const members = new Set<Started>();
  let ending = false;
  const end = async (code: number) => {
    if (ending) return;
    ending = true;
    await Promise.all([...members].map(({ child }) => endGroup(child)));
    process.exit(code);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => void end(0));
  const begin = (name: string, command: string, args: string[], { env, showsErrors = false }: Own = {}) => {
    const member = start(command, args, env, (text) => {
      // Ending, wrangler only says where its own logs are.
      if (showsErrors && !ending) process.stderr.write(text);
      return showsErrors;
    });
    members.add(member);
    member.child.on("exit", (code) => {
      if (ending || !members.has(member)) return;
      console.error(`The ${name} ended (${code}):\n${member.printed()}`);
      void end(1);
    });
    const leave = () => {
      members.delete(member);
      return endGroup(member.child);
    };
    return { end: leave, printed: member.printed };
  };
  return { begin, end };
}

/** `show` is given what is written to stderr, and returns whether it was shown. */
function start(
  command: string,
  args: string[],
  env: Record<string, string> = {},
  show: (text: Buffer) => boolean,
): Started {
  // A process group of its own, since wrangler starts further processes, and all of them end together.
  const child = spawn(command, args, {
    env: { ...environment, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let printed = "";
  const keep = (text: Buffer) => {
    printed = (printed + text).slice(-4000);
    if (process.env.FOYER_VERBOSE) process.stdout.write(text);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", (text: Buffer) => {
    if (!show(text)) keep(text);
  });
  return { child, printed: () => printed };
}

async function endGroup(child: ChildProcess): Promise<void> {
  const isRunning = child.exitCode === null && child.signalCode === null;
  const gone = isRunning ? once(child, "exit") : null;
  signalGroup(child, "SIGTERM");
  await Promise.race([gone, wait(5000)]);
  signalGroup(child, "SIGKILL");
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    // Without a pid it never started.
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // The whole group has already exited.
  }
}
