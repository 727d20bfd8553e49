import { defineConfig } from "vite"

export default defineConfig({
  base: "./",
  logLevel: "warn",
  build: { outDir: "../dist/ui", emptyOutDir: true },
})
