/**
 * For the configurations of the test suites. Tests talk to this machine alone, and each of their runtimes would copy these
 * certificates one by one, which takes a second of each start.
 */
delete process.env["NODE_EXTRA_CA_CERTS"];
