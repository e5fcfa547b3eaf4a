/**
 * What one request takes, copied at each release from `npm run bench -- pages scale`. Processor time comes from `pages`, measured on two
 * cores that nothing else used, where a bare page of React Router took 0.87 ms; it includes the local database. Rows come from `scale`
 * among 20,000 people.
 */
export const measured = {
  version: "0.1.0",
  /** A home page that is rendered. One from the isolate's cache reads no rows. */
  visit: { requests: 1, cpuMs: 2.1, rowsRead: 9, rowsWritten: 0 },
  page: { requests: 1, cpuMs: 5.6, rowsRead: 34, rowsWritten: 0 },
  /** Page, form, code and the page after it. The processor time is four times that of `/login`, including the hashes of codes. */
  signIn: { requests: 4, cpuMs: 8, rowsRead: 118, rowsWritten: 50 },
  signUp: { requests: 4, cpuMs: 8, rowsRead: 110, rowsWritten: 61 },
  check: { requests: 1, cpuMs: 2.3, rowsRead: 4, rowsWritten: 0 },
  report: { requests: 1, cpuMs: 2.3, rowsRead: 26, rowsWritten: 1 },
  /** The processor time is that of the most expensive page, standing in for the customer's sync. */
  event: { requests: 1, cpuMs: 6.8, rowsRead: 57, rowsWritten: 13 },
  /** A run with nothing to do. */
  cronRun: { requests: 1, cpuMs: 6.8, rowsRead: 175, rowsWritten: 4 },
  /** Rows that a run of the cron job reads more for each customer; 17,460 were read among 20,000, all of whom had something due. */
  cronRowsPerCustomer: 0.86,
  /** A run syncs up to 17 customers and fetches seven lists from Stripe for each. */
  subrequestsMax: 17 * 7,
  /** The most expensive page. The first one of a new isolate takes several times as long. */
  cpuMsMax: 6.8,
};
