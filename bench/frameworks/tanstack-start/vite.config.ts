import { cloudflare } from "@cloudflare/vite-plugin";
import { tanstackStart } from "@tanstack/react-start/plugin/vite";
import viteReact from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** As the starter for Workers has it, without its developer tools and Tailwind; minified like the site. */
export default defineConfig({
  plugins: [cloudflare({ viteEnvironment: { name: "ssr" }, inspectorPort: false }), tanstackStart(), viteReact()],
  environments: { ssr: { build: { minify: true } } },
});
