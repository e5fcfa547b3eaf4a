import { Agent, type OutgoingHttpHeaders, request } from "node:http";

export type Page = { name: string; origin: string; path: string; headers?: OutgoingHttpHeaders; body?: Buffer };
export type Answered = { status: number; ms: number; bytes: number };

let networkAddresses = 0;

/** Browsers with persistent connections, each request from its own network: the rate limiter counts networks. */
export class Asker {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  async ask({ path, headers, body }: Omit<Page, "name" | "origin">): Promise<Answered> {
    const startedAt = performance.now();
    let bytes = 0;
    const status = await this.#send({ path, headers, body }, (part) => (bytes += part.length));
    return { status, bytes, ms: performance.now() - startedAt };
  }

  async text(path: string, headers?: OutgoingHttpHeaders): Promise<string> {
    const parts: Buffer[] = [];
    await this.#send({ path, headers }, (part) => parts.push(part));
    return Buffer.concat(parts).toString();
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({ path, headers, body }: Omit<Page, "name" | "origin">, read: (part: Buffer) => unknown): Promise<number> {
    networkAddresses += 1;
    const networkAddress = `10.${(networkAddresses >> 16) & 255}.${(networkAddresses >> 8) & 255}.${networkAddresses & 255}`;
    return new Promise((resolve, reject) => {
      const sending = request(
        this.#origin + path,
        {
          agent: this.#agent,
          method: body ? "POST" : "GET",
          headers: { "CF-Connecting-IP": networkAddress, "User-Agent": "Mozilla/5.0 Firefox/140.0", ...headers },
        },
        (response) => {
          response.on("data", read);
          response.once("end", () => resolve(response.statusCode ?? 0));
        },
      );
      sending.once("error", reject);
      sending.end(body);
    });
  }
}
