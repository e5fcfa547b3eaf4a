import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import type { WorkerModules } from "./worker-modules.ts";

type Variables = Readonly<Record<string, string>>;

/**
 * Runs a Worker directly in the runtime, without wrangler's proxies, which would add the same large cost to every contestant. It has
 * variables and no other bindings.
 */
export async function startBareWorker(modules: WorkerModules, variables: Variables): Promise<BareWorker> {
  const folder = mkdtempSync(join(tmpdir(), "foyer-bench-"));
  for (const [name, code] of modules) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
  writeFileSync(join(folder, "worker.capnp"), describeWorker([...modules.keys()], variables));
  const child = spawn("node_modules/.bin/workerd", ["serve", "--control-fd=3", join(folder, "worker.capnp")], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  const kill = (): boolean => child.kill();
  process.once("exit", kill);
  child.once("exit", () => process.removeListener("exit", kill));
  try {
    return new BareWorker(await listeningPort(child), child);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export class BareWorker {
  readonly port: number;
  readonly #child: ChildProcess;

  constructor(port: number, child: ChildProcess) {
    this.port = port;
    this.#child = child;
  }

  /** Processor time used so far. NaN, here and below, on systems without /proc. */
  cpuMs(): number {
    const [user, system] = this.#read("stat").split(") ").at(-1)?.split(" ").slice(11, 13) ?? [];
    // Reported in hundredths of a second, whatever the kernel counts in.
    return (Number(user) + Number(system)) * 10;
  }

  residentBytes(): number {
    return this.#status("VmRSS");
  }

  peakBytes(): number {
    return this.#status("VmHWM");
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill();
    await ended;
  }

  #status(name: string): number {
    const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(this.#read("status")) ?? [];
    return Number(kibibytes) * 1024;
  }

  #read(name: string): string {
    try {
      return readFileSync(`/proc/${this.#child.pid}/${name}`, "utf8");
    } catch {
      return "";
    }
  }
}

/** The runtime reports its port on a separate pipe. */
async function listeningPort(child: ChildProcess): Promise<number> {
  // The fourth stream is readable, as configured above.
  const pipe = child.stdio[3] as Readable;
  let output = "";
  pipe.on("data", (text) => (output += text));
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The runtime ended before it listened")));
  for (;;) {
    await Promise.race([once(pipe, "data"), ended]);
    const [, port] = /"port":(\d+)/.exec(output) ?? [];
    if (port !== undefined) return Number(port);
  }
}

/** The runtime's configuration, in its own language (workerd.capnp). */
function describeWorker(names: readonly string[], variables: Variables): string {
  const [, date] = /^compatibility_date = "([\d-]+)"$/m.exec(readFileSync("wrangler.toml", "utf8")) ?? [];
  const modules = names.map((name) => `(name = "${name}", esModule = embed "${name}")`);
  const bindings = Object.entries(variables).map(
    ([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["public", "private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = "${date}",
  modules = [${modules.join(", ")}],
  bindings = [${bindings.join(", ")}],
);
`;
}
