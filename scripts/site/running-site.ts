/**
 * Which site `npm start` or `npm run dev` serves from this clone, so that `npm run ops` and `npm run stripe:setup` find it on any
 * port. The newest one is recorded.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const file = ".wrangler/running-site.json";

type Site = { origin: string; stripe: string };

export function rememberSite({ origin, stripe }: Site): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ origin, stripe, pid: process.pid }));
}

export function forgetSite(): void {
  if (read()?.pid === process.pid) rmSync(file, { force: true });
}

export function findSite(): Site | null {
  const site = read();
  return site && isRunning(site.pid) ? { origin: site.origin, stripe: site.stripe } : null;
}

function read(): (Site & { pid: number }) | null {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is running too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
