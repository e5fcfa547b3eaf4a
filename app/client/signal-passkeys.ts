/**
 * WebAuthn's Signal API (Level 3, section 5.1.10): tells the browser's password manager what the site knows of its passkeys, so that it neither
 * offers one that was removed nor shows an earlier name. Browsers without it go on as before, and a failure changes nothing here.
 */
import { useEffect } from "react";

/** An account as its passkeys have it: `id` in base64url. */
export type PasskeyUser = { rpId: string; id: string; name: string; displayName: string };

type Signals = {
  signalUnknownCredential?(signal: { rpId: string; credentialId: string }): Promise<void>;
  signalAllAcceptedCredentials?(signal: {
    rpId: string;
    userId: string;
    allAcceptedCredentialIds: string[];
  }): Promise<void>;
  signalCurrentUserDetails?(signal: { rpId: string; userId: string; name: string; displayName: string }): Promise<void>;
};

/** Empty where there are no passkeys. The browser's own types say that all of them exist. */
function signals(): Signals {
  return typeof PublicKeyCredential === "function" ? (PublicKeyCredential as Signals) : {};
}

const ignore = () => undefined;

/** The name and address of the account, each time they are another. */
export function useSignalUser({ rpId, id: userId, name, displayName }: PasskeyUser): void {
  useEffect(() => {
    signals().signalCurrentUserDetails?.({ rpId, userId, name, displayName }).catch(ignore);
  }, [rpId, userId, name, displayName]);
}

/** All passkeys of the account, each time they are others: after one was removed, the password manager removes or hides it. */
export function useSignalPasskeys({ rpId, id: userId }: PasskeyUser, credentialIds: readonly string[]): void {
  const joined = credentialIds.join(" ");
  useEffect(() => {
    const allAcceptedCredentialIds = joined === "" ? [] : joined.split(" ");
    signals().signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds }).catch(ignore);
  }, [rpId, userId, joined]);
}

/** A passkey that the site doesn't have, after somebody tried to sign in with it. */
export function useSignalUnknown(rpId: string, credentialId: string | undefined): void {
  useEffect(() => {
    if (credentialId) signals().signalUnknownCredential?.({ rpId, credentialId }).catch(ignore);
  }, [rpId, credentialId]);
}
