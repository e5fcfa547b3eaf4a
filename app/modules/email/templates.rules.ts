/**
 * The emails that the site sends. Each module and feature declares its own, with when each is sent and the facts that its text needs, in an
 * `emails.messages.ts` beside what causes them. Amounts, days and hours come formatted for the recipient; URLs are absolute. A template with an
 * `offUrl` (`/settings/notifications`) can be switched off: the outbox then refuses it.
 */
export interface Emails {}

export type EmailContent = Emails[keyof Emails];
