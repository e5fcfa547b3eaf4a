import { openAccount, type AccountOptions } from "./open-account.ts";
import { serve, type ServeOptions, type Served } from "./serve.ts";

export { openAccount, type AccountOptions, type OpenAccount } from "./open-account.ts";
export { serve, type Served, type ServeOptions } from "./serve.ts";

/** Starts a Stripe emulator of its own on a socket of this process. */
export async function startEmulator({
  port,
  hostname,
  ...options
}: AccountOptions & ServeOptions = {}): Promise<Served> {
  const { account, close } = openAccount(options);
  const served = await serve((request) => account.fetch(request), { port, hostname });
  return {
    origin: served.origin,
    close: async () => {
      await served.close();
      await close();
    },
  };
}
