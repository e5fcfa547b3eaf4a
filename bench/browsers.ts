import { Agent, type OutgoingHttpHeaders, request } from "node:http";

export type Answered = { status: number; ms: number };

/** One browser per concurrent request: connections stay open, responses are read to the end and discarded. */
export class Browsers {
  readonly #agent = new Agent({ keepAlive: true });

  post(url: string, headers: OutgoingHttpHeaders, body: Buffer): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const sentAt = performance.now();
      const sending = request(url, { agent: this.#agent, method: "POST", headers }, (response) => {
        response.resume();
        response.once("end", () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - sentAt }));
      });
      sending.once("error", reject);
      sending.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Runs each of `count` tasks once, never more than `width` at a time. */
export async function allOf(count: number, width: number, task: () => Promise<unknown>): Promise<void> {
  let left = count;
  const work = async (): Promise<void> => {
    while (left-- > 0) await task();
  };
  await Promise.all(Array.from({ length: width }, work));
}
