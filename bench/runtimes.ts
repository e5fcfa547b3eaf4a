import { readdirSync, readFileSync } from "node:fs";

export type Runtime = { pid: number; residentBytes: number };

/** Processor time used so far by the runtimes under this process. NaN on systems without /proc. */
export function runtimeCpuMs(): number {
  try {
    // In hundredths of a second, on every Linux.
    return findRuntimes().reduce((sum, { ticks }) => sum + ticks * 10, 0);
  } catch {
    return NaN;
  }
}

/** The runtimes under this process with their current memory, oldest first. None on systems without /proc. */
export function residentRuntimes(): Runtime[] {
  try {
    return findRuntimes().map(({ pid }) => ({ pid, residentBytes: residentBytes(pid) }));
  } catch {
    return [];
  }
}

function findRuntimes() {
  const processes = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProcess(name) : []));
  const family = new Set([process.pid]);
  // A child may be listed before its parent, so this repeats until none is added.
  for (let known = 0; known !== family.size;) {
    known = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  return processes.filter(({ pid, name }) => family.has(pid) && name === "workerd");
}

/** Empty for a process that has ended in the meantime. */
function readProcess(pid: string) {
  try {
    const [, name, rest = ""] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    const [, parent, ...facts] = rest.split(" ");
    return [{ pid: Number(pid), name, parent: Number(parent), ticks: Number(facts[9]) + Number(facts[10]) }];
  } catch {
    return [];
  }
}

function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}
