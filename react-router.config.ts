import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // A page comes whole and beside its data: split, what shows it is fetched only after they have come.
  splitRouteModules: false,
} satisfies Config;
