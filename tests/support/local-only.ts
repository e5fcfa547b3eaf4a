/**
 * For the configurations of the test suites. This variable names a file of certificates for other machines, but tests talk to this one
 * alone. Every runtime that they start would copy each certificate in it, which takes a second.
 */
delete process.env["NODE_EXTRA_CA_CERTS"];
