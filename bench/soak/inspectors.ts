import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Below the ephemeral ports. */
const FIRST_PORT = 20_000;
const PORTS = 10_000;

/** Runtimes started from now on accept an inspector, at a port derived from the process's number. */
export function openInspectors(): void {
  const folder = mkdtempSync(join(tmpdir(), "foyer-soak-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "workerd");
  const runtime = resolve("node_modules/.bin/workerd");
  const script = `#!/bin/sh\nexec "${runtime}" "$@" --inspector-addr=127.0.0.1:$((${FIRST_PORT} + $$ % ${PORTS}))\n`;
  writeFileSync(path, script, { mode: 0o755 });
  process.env["MINIFLARE_WORKERD_PATH"] = path;
}

/** One isolate of a runtime, which responds while it has work: garbage is collected between two requests. */
export async function openIsolate(pid: number, name: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${FIRST_PORT + (pid % PORTS)}/${name}`);
  const gone = once(socket, "close").then(() => Promise.reject(new Error(`The runtime doesn't answer for ${name}`)));
  // The waiting caller receives the error. After the end nothing waits, and it mustn't count as unhandled.
  gone.catch(() => null);
  await Promise.race([once(socket, "open"), gone]);
  let id = 0;
  const ask = async <Answer>(method: string): Promise<Answer> => {
    socket.send(JSON.stringify({ id: (id += 1), method }));
    const [{ data }] = (await Promise.race([once(socket, "message"), gone])) as [MessageEvent<string>];
    const answer = JSON.parse(data) as { id: number; result?: Answer };
    if (answer.id !== id || answer.result === undefined) throw new Error(`${method} was answered with ${data}`);
    return answer.result;
  };
  return {
    /** Memory after garbage collection: the heap, and the buffers and platform objects that it references. */
    async heldBytes(): Promise<number> {
      await ask("HeapProfiler.collectGarbage");
      const usage = await ask<{ usedSize: number; embedderHeapUsedSize: number; backingStorageSize: number }>(
        "Runtime.getHeapUsage",
      );
      return usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize;
    },
    close: () => socket.close(),
  };
}
