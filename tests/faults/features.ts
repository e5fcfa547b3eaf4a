import { preferencesRaces } from "#app/features/preferences/tests/races.ts";

/** What requests to features do at the same moment, a line each. */
export const featureRaces = [...preferencesRaces];
