import { ago } from "../../../../scripts/demo/demo-events.ts";
import { must } from "../../../../scripts/demo/demo-site.ts";
import type { DemoUser } from "../../../../scripts/demo/demo-user.ts";
import type { FeatureDemo } from "../../../../scripts/demo/feature-demo.ts";
import { changePreferencesByOwner } from "../commands/change-preferences-by-owner.server.ts";
import type { Preferences } from "../preferences.rules.ts";

const prefers = (chosen: Preferences) => async (person: DemoUser) => {
  must(await changePreferencesByOwner(person.site.app, (await person.account()).id, chosen, null));
};

export const preferences: FeatureDemo = {
  mara: {
    has: "her own preferences",
    exported: { preferences: [{}] },
    events: [ago({ months: 13 }, prefers({ schedule: "daily", bandwidthCapMbit: 40, retentionDays: 90 }))],
  },
  nora: {
    has: "her own preferences",
    exported: { preferences: [{}] },
    events: [ago({ months: 6, days: -1 }, prefers({ schedule: "manual", retentionDays: 14, notifyOnFailure: false }))],
  },
};
