/**
 * Decides on which pages a declared third-party service is loaded. Invariants: never where a code is typed, an address is entered or a
 * payment is shown; without `pages: "account"` never in a browser that is signed in, since a script can read whatever its page's session
 * can. Called from the root's loader and middleware, the legal pages and `npm run doctor`.
 */
import type { Embed } from "#app/core/embed.ts";

/** A service of another company on the site's pages, as declared in `thirdParties`. */
export type ThirdParty = Embed & {
  /** As the privacy notice names it, with the company. */
  readonly name: string;
  /** What it is for, for the privacy notice: a sentence. */
  readonly purpose: string;
  /** The company's own privacy notice. */
  readonly privacyUrl: string;
  /**
   * What it stores in browsers, for the privacy notice: a sentence each, and `[]` if it stores nothing. Most of it needs consent in the EU.
   */
  readonly stores: readonly string[];
  /**
   * `public` unless set: the landing page and the legal texts, for visitors who aren't signed in. `account`: these for everyone, and the
   * pages of the account.
   */
  readonly pages?: "public" | "account";
};

type Place = { pathname: string; isSignedIn: boolean };

export function thirdPartiesOn(
  { thirdParties = [] }: { thirdParties?: readonly ThirdParty[] },
  { pathname, isSignedIn }: Place,
): readonly ThirdParty[] {
  if (/^\/settings(\/|$)/.test(pathname)) return thirdParties.filter(({ pages }) => pages === "account");
  if (!/^\/(legal\/.+)?$/.test(pathname)) return [];
  return thirdParties.filter(({ pages }) => pages === "account" || !isSignedIn);
}

/** Whether two pages differ in their services, for a visitor or for a signed-in user: a redirect between them may also sign in or out. */
export function mayHaveOtherServices(config: Parameters<typeof thirdPartiesOn>[0], from: string, to: string): boolean {
  return [true, false].some((isSignedIn) => {
    const [before, after] = [from, to].map((pathname) => thirdPartiesOn(config, { pathname, isSignedIn }));
    return before?.length !== after?.length || before?.some((service, index) => service !== after?.[index]);
  });
}
