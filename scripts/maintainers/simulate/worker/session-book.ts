import type { SessionCookie } from "#app/modules/accounts/session-cookie.rules.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import type { WorldApp } from "./make-app.ts";
import { Violated } from "./violated.ts";

/** Every session that browsers were given, and which of them their owners have ended. Independent of the site's own table. */
export class SessionBook {
  readonly #given: SessionCookie[] = [];
  readonly #ended = new Set<string>();

  give(cookie: SessionCookie): void {
    this.#given.push(cookie);
  }

  /** An account's sessions so far, except one. A session that begins while these are ended isn't among them. */
  ofAccount(accountId: string, except?: SessionCookie | null): SessionCookie[] {
    return this.all().filter((each) => each.accountId === accountId && each.sessionToken !== except?.sessionToken);
  }

  all(): SessionCookie[] {
    return this.#given.filter((each) => !this.hasEnded(each));
  }

  hasEnded({ sessionToken }: SessionCookie): boolean {
    return this.#ended.has(sessionToken);
  }

  /** Their owner ended these sessions, and the site confirmed it. */
  async end(app: WorldApp, cookies: readonly SessionCookie[]): Promise<void> {
    for (const cookie of cookies) this.#ended.add(cookie.sessionToken);
    // This is what the browser sends next.
    for (const cookie of cookies) this.mustNotBe(cookie, await findSignedIn(app, cookie));
  }

  mustNotBe(cookie: SessionCookie, viewer: unknown): void {
    if (viewer !== null && this.hasEnded(cookie))
      throw new Violated("an ended session can't be used", { accountId: cookie.accountId });
  }
}
