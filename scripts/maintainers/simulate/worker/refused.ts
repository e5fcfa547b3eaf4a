/** An action that isn't possible now, and isn't a bug. */
export class Refused extends Error {}
