import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parseSync } from "oxc-parser";

/** A page, and its `Link` header: SvelteKit names the scripts of a page there. */
type LoadedPage = { html: string; link: string };

/** Bytes after gzip -9 of the scripts that a page names, and of what they import at once; what loads on use isn't among them. */
export function loadedScripts(page: LoadedPage, path: string, client: string): number {
  const found = new Set<string>();
  for (const address of addressesIn(page)) collect(new URL(address, `http://site${path}`), client, found);
  return [...found].reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
}

/** Of script elements, preloads and imports of inline scripts. */
function addressesIn({ html, link }: LoadedPage): string[] {
  const places = /(?:src=|href=|import\(|import|from)\s*"([^"]+\.js)"/g;
  return [...html.matchAll(places), ...link.matchAll(/<([^>]+\.js)>/g)].map(([, address = ""]) => address);
}

function collect(url: URL, client: string, found: Set<string>): void {
  const file = join(client, decodeURIComponent(url.pathname));
  if (found.has(file)) return;
  found.add(file);
  for (const { moduleRequest } of parseSync(file, readFileSync(file, "utf8")).module.staticImports) {
    collect(new URL(moduleRequest.value, url), client, found);
  }
}
