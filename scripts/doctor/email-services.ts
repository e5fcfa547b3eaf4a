import type { EmailServiceName } from "#app/integrations/email/email-services.ts";

type EmailServiceFacts = {
  name: string;
  /** The return path's name below the sender's domain, where receivers look for SPF. Null if the sender's domain doesn't determine it. */
  returnPath: string | null;
  /** Whether emails are sent even without that name in DNS. The return path is then at a domain of the service, with its own SPF. */
  isReturnPathOptional: boolean;
  /** What the SPF record has to include. Null if the service documents no record: Postmark documents a CNAME to its own. */
  spfInclude: string | null;
  /** Null if it is generated for each domain. */
  dkimSelector: string | null;
  addRecords: string;
  whenEmailsWait: string;
  raiseQuota: string;
};

/** The DNS records that each service documents for a sender's domain, and where its settings are. */
export const emailServices: Readonly<Record<EmailServiceName, EmailServiceFacts>> = {
  // https://developers.cloudflare.com/email-service/concepts/email-authentication/
  cloudflare: {
    name: "Cloudflare's Email Sending",
    returnPath: "cf-bounce",
    isReturnPathOptional: false,
    spfInclude: "_spf.mx.cloudflare.net",
    dkimSelector: "cf-bounce",
    addRecords: "Onboard the domain in Email Sending of Cloudflare's dashboard, which adds the records",
    whenEmailsWait: "Check the sender's domain in Email Sending",
    raiseQuota: "Raise the account's daily limit in Email Sending of Cloudflare's dashboard",
  },
  // https://resend.com/docs/dashboard/domains/introduction
  resend: {
    name: "Resend",
    returnPath: "send",
    isReturnPathOptional: false,
    spfInclude: "amazonses.com",
    dkimSelector: "resend",
    addRecords: "Add the records that Resend lists for the domain, under Domains in its dashboard",
    whenEmailsWait: "Check the domain and the API key in Resend's dashboard",
    raiseQuota: "Take a larger plan in Resend's dashboard, or wait until its day or month is over",
  },
  // https://postmarkapp.com/support/article/910-how-to-set-up-a-custom-return-path-for-your-domain
  postmark: {
    name: "Postmark",
    returnPath: "pm-bounces",
    isReturnPathOptional: true,
    spfInclude: null,
    dkimSelector: null,
    addRecords: "Add the records that Postmark lists for the domain, under Sender Signatures, DNS Settings",
    whenEmailsWait: "Check the domain under Sender Signatures, and the server's token, in Postmark",
    raiseQuota: "Buy more emails in Postmark's account, under Billing",
  },
  // https://docs.aws.amazon.com/ses/latest/dg/mail-from.html
  ses: {
    name: "Amazon SES",
    returnPath: null,
    isReturnPathOptional: true,
    spfInclude: "amazonses.com",
    dkimSelector: null,
    addRecords: "Add the records that Amazon SES lists for the domain, under Identities",
    whenEmailsWait:
      "Check the domain under Identities of Amazon SES in SES_REGION, and whether the account left the sandbox",
    raiseQuota: "Request a larger sending quota under Account dashboard of Amazon SES in SES_REGION",
  },
  "http-relay": {
    name: "the relay",
    returnPath: null,
    isReturnPathOptional: true,
    spfInclude: null,
    dkimSelector: null,
    addRecords: "Add the records of the service behind EMAIL_RELAY_URL",
    whenEmailsWait: "Check that EMAIL_RELAY_URL answers, and EMAIL_RELAY_TOKEN",
    raiseQuota: "Raise the quota of the service behind EMAIL_RELAY_URL",
  },
};
