import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const file = "/uploads/load.sql";

/**
 * D1's part of Cloudflare's API, on the database of a running site: queries, and files of SQL, which are uploaded, then run as a whole
 * (https://developers.cloudflare.com/api/resources/d1/subresources/database/methods/import/).
 */
export class CloudflareRows {
  readonly #database: () => Promise<D1Database>;
  #uploaded = "";

  constructor(database: () => Promise<D1Database>) {
    this.#database = database;
  }

  /** Whether the request is the upload of a file. */
  takeFile(request: IncomingMessage, response: ServerResponse, body: string): boolean {
    if (request.method !== "PUT" || request.url !== file) return false;
    this.#uploaded = body;
    response.setHeader("ETag", `"${createHash("md5").update(body).digest("hex")}"`);
    response.end();
    return true;
  }

  async answer(pathname: string, body: string, host: string): Promise<unknown> {
    const sent = body === "" ? {} : (JSON.parse(body) as { sql?: string; action?: string });
    if (pathname.endsWith("/query")) {
      const { results } = await (await this.#database()).prepare(sent.sql ?? "").all();
      return [{ results, success: true, meta: {} }];
    }
    if (!pathname.endsWith("/import")) return null;
    if (sent.action === "init") return { upload_url: `http://${host}${file}`, filename: "load.sql" };
    return this.#run();
  }

  async #run() {
    const statements = this.#uploaded.match(/\s*CREATE TRIGGER .*?\sEND;|(?:'(?:[^']|'')*'|"[^"]*"|[^;'"])+;/gs) ?? [];
    const about = { success: true, type: "import", messages: [] };
    try {
      const database = await this.#database();
      await database.batch(statements.map((statement) => database.prepare(statement)));
    } catch (error) {
      return { ...about, status: "error", errors: [String(error)] };
    }
    const meta = { duration: 1, rows_read: 0, rows_written: statements.length, size_after: 0 };
    return { ...about, status: "complete", result: { num_queries: statements.length, final_bookmark: "1", meta } };
  }
}
