import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  splitRouteModules: false,
  buildDirectory: "../../../node_modules/.bare-page",
} satisfies Config;
