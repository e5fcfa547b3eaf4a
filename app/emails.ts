import type { Messages } from "./core/messages.ts";
import { accountEmailNames, accountEmails } from "./modules/accounts/emails.messages.ts";
import { cancellationEmailNames, cancellationEmails } from "./modules/billing/cancellations/emails.messages.ts";
import { orderEmailNames, orderEmails } from "./modules/billing/orders/emails.messages.ts";
import { planEmailNames, planEmails } from "./modules/billing/subscriptions/emails.messages.ts";
import { usageEmailNames, usageEmails } from "./modules/billing/usage/emails.messages.ts";
import { withdrawalEmailNames, withdrawalEmails } from "./modules/billing/withdrawals/emails.messages.ts";
import { closingEmailNames, closingEmails } from "./modules/closing/emails.messages.ts";
import { deviceEmailNames, deviceEmails } from "./features/devices/emails.messages.ts";
import { waitlistEmailNames, waitlistEmails } from "./features/waitlist/emails.messages.ts";
import type { EmailContent } from "./modules/email/templates.rules.ts";
import type { EmailNames, EmailsOf } from "./modules/email/texts.rules.ts";
import { referralEmailNames, referralEmails } from "./modules/referrals/emails.messages.ts";

/** The texts of every email, a line for each module and feature; the compiler checks that none is missing in any language. */
export const emailTexts: EmailsOf<EmailContent> = {
  en: {
    ...accountEmails.en,
    ...closingEmails.en,
    ...orderEmails.en,
    ...withdrawalEmails.en,
    ...cancellationEmails.en,
    ...planEmails.en,
    ...usageEmails.en,
    ...deviceEmails.en,
    ...referralEmails.en,
    ...waitlistEmails.en,
  },
};

/** What the list of sent emails calls each of them. */
export const emailNames: Messages<EmailNames<EmailContent>> = {
  en: {
    ...accountEmailNames.en,
    ...closingEmailNames.en,
    ...orderEmailNames.en,
    ...withdrawalEmailNames.en,
    ...cancellationEmailNames.en,
    ...planEmailNames.en,
    ...usageEmailNames.en,
    ...deviceEmailNames.en,
    ...referralEmailNames.en,
    ...waitlistEmailNames.en,
  },
};
