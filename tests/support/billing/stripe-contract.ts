import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { Senders } from "#tests/stripe/contract/judge.ts";
import type { Recording } from "#tests/stripe/contract/recording.ts";

const emulatorConfig = "workers/stripe-emulator/wrangler.toml";

/**
 * Which configuration a test starts the Stripe emulator with, and what it does before it closes it. If the suite says
 * so (vitest.config.ts), traffic is recorded and checked against the SDK's types; otherwise it is the plain emulator.
 */
export function emulatorUnderContract(senders: Senders) {
  if (process.env.STRIPE_CONTRACT !== "checked") {
    return { configPath: emulatorConfig, close: (_origin: string, close: () => Promise<void>) => close() };
  }
  const { configPath, remove } = recordingConfig();
  return {
    configPath,
    close: async (origin: string, close: () => Promise<void>) => {
      const recording = await takeRecording(origin);
      await close();
      remove();
      await reportFindings(recording, senders);
    },
  };
}

/** The emulator's own configuration with the recording Worker around its code. */
export function recordingConfig() {
  const folder = mkdtempSync(join(tmpdir(), "foyer-stripe-"));
  const configPath = join(folder, "wrangler.toml");
  const text = readFileSync(emulatorConfig, "utf8");
  const main = resolve("tests/stripe/contract/recording-worker.ts");
  writeFileSync(
    configPath,
    text.replace(/^main = .*$/m, () => `main = ${JSON.stringify(main)}`),
  );
  return { configPath, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function takeRecording(origin: string): Promise<Recording> {
  const response = await fetch(`${origin}/recording`);
  // Written by the recording Worker, in this type.
  return (await response.json()) as Recording;
}

async function reportFindings(recording: Recording, senders: Senders): Promise<void> {
  const [{ checkRecording }, { expect }] = await Promise.all([
    import("#tests/stripe/contract/judge.ts"),
    import("vitest"),
  ]);
  const findings = checkRecording(recording, senders);
  if (findings.length === 0) return;
  const counts = new Map<string, number>();
  for (const { where, path, expected, got } of findings) {
    const line = `${where}: ${path.replaceAll(/\/\d+(?=\/|$)/g, "/*")} is ${got}, expected ${expected}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const lines = [...counts].slice(0, 40).map(([line, count]) => `  ${line}${count > 1 ? ` (${count} times)` : ""}`);
  const file = relative(process.cwd(), expect.getState().testPath ?? "a test");
  throw new Error(`${counts.size} differences from Stripe's types in ${file}:\n${lines.join("\n")}`);
}
