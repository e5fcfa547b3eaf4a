import type { StripeLine } from "./stripe-line.ts";

let onStage: StripeLine | null = null;

const outside = globalThis.fetch;

/** Stripe's SDK uses the global fetch, so the emulator in this isolate answers its calls without a socket. */
export function installStripe(): void {
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).hostname !== "stripe.simulated" || onStage === null) return outside(input, init);
    const { method = "GET", headers, body } = init ?? {};
    return onStage.answer({
      url,
      method,
      headers: new Headers(headers),
      body: body == null ? null : String(body),
    });
  };
}

/** From now on this world answers Stripe's calls. */
export function putOnStage(line: StripeLine): void {
  onStage = line;
}
