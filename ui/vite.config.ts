import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

/** `SOUK_SERVER`: where `souk serve` listens while the UI is worked on with `vite`. */
const server = process.env.SOUK_SERVER ?? "http://127.0.0.1:5700"

export default defineConfig({
  base: "/",
  logLevel: "warn",
  plugins: [react(), tailwindcss()],
  server: { proxy: { "/v1": server, "/reset": server, "/step": server } },
  build: { outDir: "../dist/ui", emptyOutDir: true, chunkSizeWarningLimit: 700 },
})
