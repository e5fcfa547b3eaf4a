/** CPU of each page beside its floor at the last release, as `npm run bench -- pages` printed it: a regression shows. */
export const recorded: { version: string; timesFloor: Readonly<Record<string, number>> } = {
  version: "0.1.0",
  timesFloor: {},
};
