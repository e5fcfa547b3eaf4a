import type { Config } from "@react-router/dev/config";
import { writeMessageTypes } from "./scripts/site/message-types.ts";

// Read by `react-router typegen`, before types are checked.
writeMessageTypes();

export default {
  ssr: true,
  // A page comes whole and beside its data: split, what shows it is fetched only after they have come.
  splitRouteModules: false,
  // The few routes are one cached file. Loaded as links appear, they would take a request per page, and its time with each page.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
