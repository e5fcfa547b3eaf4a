/** Dispatched in a tab whose build was replaced, when it asks for a file that is gone. Tabs of earlier releases listen for this name, too. */
export const replacedBuildEvent = "replaced-build";
