import type { Base, Secrets, Site } from "#app/app.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { offerPasskey } from "./offer-passkey.server.ts";
import { hostOf, type Passkey, passkeysMax, passkeyUser } from "../rules.ts";

/** An account's passkeys for its settings, and the options to add one; by `user` and `credentialIds` the browser knows them. No keys. */
export async function showPasskeys(app: Base & Site & Secrets, viewer: Viewer, passkeys: Passkey[]) {
  return {
    list: passkeys.map(({ id, name, provider, createdAt, lastUsedAt }) => ({
      id,
      name,
      provider,
      createdAt,
      lastUsedAt,
    })),
    user: { rpId: hostOf(app.origin), ...passkeyUser(viewer.account) },
    credentialIds: passkeys.map(({ credentialId }) => credentialId),
    isFull: passkeys.length >= passkeysMax,
    offer: await offerPasskey(app, viewer, passkeys),
  };
}
