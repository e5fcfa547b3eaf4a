/** The worker pool needs a Worker beside the tests; the tests import the queries and commands themselves. */
export default {} satisfies ExportedHandler;

/** The Stripe emulator, so that tests of billing can have one each without a socket. */
export { EmulatorAccount } from "stripe-emulator/worker";
