import type { App } from "#app/app.ts";
import { maskEmailAddress } from "#app/core/text/email-address.ts";
import { formatDay, formatMoment } from "#app/core/time/time.ts";
import { pagePaths } from "#app/core/page-paths.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { type AddressChange, revertToken } from "./address-change.rules.ts";
import type { Account } from "./rules.ts";

/** The two emails with the link that reverts a change of address. They are sent to the old address only. */

type Deps = Pick<App, "origin" | "pepper">;
type Change = Pick<AddressChange, "id" | "toEmail" | "changedAt" | "revertExpiresAt">;
type Reader = Pick<Account, "locale" | "timeZone">;

/** Sent right after the change. */
export async function changedEmail(app: Deps, change: Change, reader: Reader): Promise<EmailContent> {
  return { template: "address-changed", ...(await wayBack(app, change, reader)) };
}

/** Sent when a code is requested for the old address while it is reserved. */
export async function heldEmail(app: Deps, change: Change, reader: Reader): Promise<EmailContent> {
  return { template: "address-held", on: formatDay(change.changedAt, reader), ...(await wayBack(app, change, reader)) };
}

async function wayBack({ origin, pepper }: Deps, change: Change, reader: Reader) {
  return {
    to: maskEmailAddress(change.toEmail),
    url: `${origin}${pagePaths.verify}?revert=${await revertToken(pepper, change.id)}`,
    until: formatMoment(change.revertExpiresAt, reader),
  };
}
