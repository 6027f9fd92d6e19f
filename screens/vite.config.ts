import { readdirSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const pages = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".html"));

export default defineConfig({
  plugins: [svelte()],
  // Components are tested as browsers see them, not as a server would render them.
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  build: {
    target: "es2023",
    // The content security policy knows no data: addresses, so nothing may become one.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: pages },
  },
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"] },
});
