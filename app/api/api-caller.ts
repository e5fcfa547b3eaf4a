import { featureServers } from "#app/features.server.ts";

/** Null if no feature gives tokens to a caller: then the API has nothing but its description. */
export const apiCaller = featureServers.flatMap(({ caller }) => caller ?? [])[0] ?? null;
