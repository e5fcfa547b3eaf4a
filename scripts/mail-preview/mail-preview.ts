/**
 * `npm run mail:preview`: shows every email with sample facts in a browser: an overview by module, and each in light and dark, at 600 and
 * 390 pixels, with its text part. With `-- --out FOLDER`, writes the same pages as files. Nothing is sent.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { previewPages } from "./pages.ts";

const { out, port } = readArguments();
const files = previewPages();
if (out) writeAll(out);
else serve();

function readArguments(): { out?: string; port: number } {
  try {
    const { values } = parseArgs({ options: { out: { type: "string" }, port: { type: "string", default: "8790" } } });
    const number = Number(values.port);
    if (Number.isInteger(number) && number >= 0 && number <= 65535)
      return { ...(values.out && { out: values.out }), port: number };
    throw new Error("--port takes a number from 0 to 65535");
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return process.exit(1);
  }
}

function writeAll(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  console.log(`${files.size} files in ${folder}: open index.html`);
}

/** Listens on loopback only: other machines in the network have no need to see it. */
function serve(): void {
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://localhost").pathname.slice(1) || "index.html";
    const content = files.get(name);
    const type = name.endsWith(".txt") ? "text/plain" : "text/html";
    response.writeHead(content ? 200 : 404, { "Content-Type": `${type}; charset=utf-8`, "Cache-Control": "no-store" });
    response.end(content ?? "Page not found");
  });
  server.on("error", (error: NodeJS.ErrnoException) => {
    console.error(
      `The preview can't listen on port ${port} (${error.code}); another one: npm run mail:preview -- --port N`,
    );
    process.exitCode = 1;
  });
  server.listen(port, "127.0.0.1", () => {
    const address = server.address();
    const listening = typeof address === "object" && address !== null ? address.port : port;
    console.log(`\n  Emails        http://localhost:${listening}\n\n  Stop with Ctrl-C.\n`);
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(0));
}
