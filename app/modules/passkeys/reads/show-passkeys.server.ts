import type { Base, Secrets, Site } from "#app/app.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { offerPasskey } from "./offer-passkey.server.ts";
import { type Passkey, passkeysMax } from "../rules.ts";

/** An account's passkeys for its settings, and the options to add one. Keys and credential ids aren't included. */
export async function showPasskeys(app: Base & Site & Secrets, viewer: Viewer, passkeys: Passkey[]) {
  return {
    list: passkeys.map(({ id, name, provider, createdAt, lastUsedAt }) => ({
      id,
      name,
      provider,
      createdAt,
      lastUsedAt,
    })),
    isFull: passkeys.length >= passkeysMax,
    offer: await offerPasskey(app, viewer, passkeys),
  };
}
