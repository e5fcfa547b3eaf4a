import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

/** Whoever begins with React Router on a Worker today; minified as the site is. */
export default defineConfig({
  plugins: [cloudflare({ viteEnvironment: { name: "ssr" }, inspectorPort: false }), reactRouter()],
  environments: { ssr: { build: { minify: true } } },
});
