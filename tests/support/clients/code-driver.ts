import type { AccountId, RequestId } from "#app/core/id.ts";
import { proveAddress } from "#app/modules/accounts/commands/prove-address.server.ts";
import { requestCode } from "#app/modules/accounts/commands/request-code.server.ts";
import type { SessionCookie } from "#app/modules/accounts/session-cookie.rules.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import type { Proof } from "#app/core/challenge.ts";
import type { Purpose } from "#app/modules/accounts/codes/rules.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import type { TestApp } from "#tests/support/site/worker-app.ts";

let networks = 0;
let guesses = 0;

/** Eight digits that no email contains, each time others: the same ones twice in a row are one try. */
export function wrongDigits(): string {
  guesses += 1;
  return String(guesses).padStart(8, "0");
}

/**
 * Codes as the commands see them: requested, read from the email, entered; each address by default in a different
 * network.
 */
export class CodeDriver {
  readonly app: TestApp;
  readonly address: string;
  readonly #ip: string;

  constructor(app: TestApp, address: string) {
    networks += 1;
    this.app = app;
    this.address = address;
    this.#ip = `198.18.${Math.floor(networks / 250)}.${networks % 250}`;
  }

  ask({
    purpose = "sign-up" as Purpose,
    browserToken = "browser",
    accountId = undefined as AccountId | undefined,
    ip = this.#ip,
    again = true,
    proof = "off" as Proof,
  } = {}) {
    const address = parseEmailAddress(this.address);
    if (!address) throw new Error("not an address");
    return requestCode(this.app, {
      address,
      purpose,
      browserToken,
      ip,
      carried: {},
      accountId,
      again,
      proof,
    });
  }

  async asked(purpose: Purpose = "sign-up", browserToken = "browser", accountId?: AccountId) {
    const result = await this.ask({ purpose, browserToken, accountId });
    if (!result.ok) throw new Error(`refused: ${result.refusal.reason}`);
    await this.app.settled();
    const email = this.app.emails.findLast(({ to }) => to === this.address);
    return { requestId: result.value.requestId, digits: /\b\d{8}\b/.exec(email?.subject ?? "")?.[0] ?? "" };
  }

  prove(requestId: RequestId, digits: string, browserToken = "browser", sessionToken: string | null = null) {
    const device = "Firefox on Linux";
    return proveAddress(this.app, { requestId, digits, browserToken, sessionToken, device, country: null });
  }

  /** Signs up or in; returns the account that the cookie then shows. */
  async signedIn(
    purpose: Purpose = "sign-up",
    browserToken = "browser",
  ): Promise<Viewer & { cookie: SessionCookie; token: string }> {
    const { requestId, digits } = await this.asked(purpose, browserToken);
    const proven = await this.prove(requestId, digits, browserToken);
    if (!proven.ok) throw new Error(`refused: ${proven.refusal.reason}`);
    const viewer = await findSignedIn(this.app, proven.value);
    if (!viewer) throw new Error("The new session has no account");
    return { ...viewer, cookie: proven.value, token: proven.value.sessionToken };
  }
}
