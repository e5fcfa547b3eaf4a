import adapter from "@sveltejs/adapter-cloudflare";
import { sveltekit } from "@sveltejs/kit/vite";
import { defineConfig } from "vite";

/** As the starter has it. */
export default defineConfig({
  plugins: [sveltekit({ compilerOptions: { runes: true }, adapter: adapter() })],
});
