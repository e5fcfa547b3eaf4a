import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

/** Runs a program that starts these processes, as `npm start` does; each is a script that writes what a Worker's runtime would. */
function runProgram(steps: string): { stdout: string; stderr: string; status: number | null } {
  const program = `
    import { startProcesses } from ${JSON.stringify(resolve("scripts/site/start-processes.ts"))};
    const { begin, end } = startProcesses();
    const script = (code) => ["--input-type=module", "-e", code];
    ${steps}`;
  const { stdout, stderr, status } = spawnSync("node", ["--input-type=module", "-e", program], { encoding: "utf8" });
  return { stdout, stderr, status };
}

const stays = `setInterval(() => undefined, 1000);`;

test("an error of the site is shown once, whole and as it happens, and its ordinary output isn't", () => {
  const writes = `console.log("GET / 200"); console.error("bug 7K3F at /login: Error\\\\n    at load"); ${stays}`;
  const { stdout, stderr } = runProgram(`
    begin("site", "node", script(\`${writes}\`), { showsErrors: true });
    const seen = setInterval(() => undefined, 1000);
    process.stderr.write = ((write) => (text) => {
      const done = write.call(process.stderr, text);
      clearInterval(seen);
      void end(0);
      return done;
    })(process.stderr.write);`);
  expect(stderr).toBe("bug 7K3F at /login: Error\n    at load\n");
  expect(stdout).toBe("");
});

test("when a process ends unexpectedly, what it wrote is shown, and what was shown isn't repeated", () => {
  const fails = `console.log("starting"); console.error("bug 7K3F at /"); process.exitCode = 3;`;
  const other = runProgram(`begin("emulator", "node", script(\`${fails}\`));`);
  expect([other.status, other.stderr]).toEqual([1, expect.stringContaining("The emulator ended (3):")]);
  for (const line of ["starting", "bug 7K3F at /"]) expect(other.stderr.split(line)).toHaveLength(2);
  const shown = runProgram(`begin("site", "node", script(\`${fails}\`), { showsErrors: true });`);
  for (const line of ["starting", "bug 7K3F at /"]) expect(shown.stderr.split(line)).toHaveLength(2);
});
