/** The worker pool wants a Worker beside the tests; the stores and acts under test are imported by the tests themselves. */
export default {} satisfies ExportedHandler;

/** The Stripe emulator, so that tests of billing can have one each without a socket. */
export { Desk } from "#workers/stripe-emulator/desk.ts";
