import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

/** `SOUK_SERVER`: where `souk serve` listens while the UI is worked on with `vite`. */
const server = process.env.SOUK_SERVER ?? "http://127.0.0.1:5700"
/** Requests keep the name they were sent to, which the server holds against the page that sends them. */
const proxy = { target: server, changeOrigin: false }

export default defineConfig({
  base: "/",
  logLevel: "warn",
  plugins: [react(), tailwindcss()],
  server: { proxy: { "/v1": proxy, "/reset": proxy, "/step": proxy } },
  build: { outDir: "../dist/ui", emptyOutDir: true, chunkSizeWarningLimit: 700 },
})
