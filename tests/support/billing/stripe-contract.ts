import { relative } from "node:path";
import type { Senders } from "#tests/stripe/contract/check-recording.ts";
import type { Recording } from "#tests/stripe/contract/recording.ts";
import type { EmulatorKind } from "#tests/support/site/prepared.ts";

/**
 * Which Stripe emulator a test starts, and what it does before it closes it. If the suite says so (vitest.config.ts),
 * traffic is recorded and checked against the SDK's types; otherwise it is the plain emulator.
 */
export function emulatorUnderContract(senders: Senders): {
  kind: EmulatorKind;
  close: (origin: string, close: () => Promise<void>) => Promise<void>;
} {
  if (process.env.STRIPE_CONTRACT !== "checked") return { kind: "plain", close: (_origin, close) => close() };
  return {
    kind: "recording",
    close: async (origin, close) => {
      const recording = await takeRecording(origin);
      await close();
      await reportFindings(recording, senders);
    },
  };
}

export async function takeRecording(origin: string): Promise<Recording> {
  const response = await fetch(`${origin}/recording`);
  // Written by the recording Worker, in this type.
  return (await response.json()) as Recording;
}

export async function reportFindings(recording: Recording, senders: Senders): Promise<void> {
  const [{ checkRecording }, { expect }] = await Promise.all([
    import("#tests/stripe/contract/check-recording.ts"),
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
