import type { World } from "./world.ts";

export type StripeCall = { url: string; method: string; headers: Headers; body: string | null };
let onStage: World | null = null;

const outside = globalThis.fetch;

/** Stripe's SDK uses the global fetch: its calls are answered by the emulator in this isolate, without a socket. */
export function installStripe(): void {
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).hostname !== "stripe.simulated" || onStage === null) return outside(input, init);
    const { method = "GET", headers, body } = init ?? {};
    return onStage.line.answer({
      url,
      method,
      headers: new Headers(headers),
      body: body == null ? null : String(body),
    });
  };
}

/** From now on Stripe's calls are this world's. */
export function putOnStage(world: World): void {
  onStage = world;
}
