import type { FeatureServer } from "#app/feature-server.ts";
import { hasDevices } from "#app/features/devices/plans.rules.ts";
import { preferencesCalls } from "./api-calls.ts";
import { listOwnPreferences, removePreferences } from "./queries.server.ts";

export const preferences: FeatureServer = {
  name: "preferences",
  erase: (db, { id, guard }) => [removePreferences(db, id, guard)],
  exported: listOwnPreferences,
  calls: (product) => (hasDevices(product) ? preferencesCalls(product) : []),
};
