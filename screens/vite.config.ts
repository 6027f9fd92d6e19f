import { readdirSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const pages = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".html"));

const OF_A_TABLE = /node_modules\/svelte|src\/(?:announcement|card|chip|clause|clock|countdown|device|dialog|hand|language|link|look|motion|notice|roads|session|settlement|words)\/|src\/catalogue\/(?:for_patrons|languages)\b/;

export default defineConfig({
  plugins: [svelte()],
  // Components are tested as browsers see them, not as a server would render them.
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  build: {
    target: "es2023",
    // The content security policy knows no data: addresses, so nothing may become one.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: pages,
      // What the pages of a table share is one file, not a dozen small ones, each with a request and headers of its own.
      output: { codeSplitting: { groups: [{ name: "table", test: OF_A_TABLE }] } },
    },
  },
  test: { environment: "happy-dom", setupFiles: ["tests/catalogues.ts"], include: ["tests/**/*.test.ts"] },
});
