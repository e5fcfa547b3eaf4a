/** The worker pool wants a Worker beside the tests; the stores and acts under test are imported by the tests themselves. */
export default {} satisfies ExportedHandler;
