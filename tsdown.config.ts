import { defineConfig } from "tsdown"

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "core/index": "src/core/index.ts",
    "shop/index": "src/shop/index.ts",
    "shop/search/worker": "src/shop/search/worker.ts",
    "server/figures-worker": "src/server/figures-worker.ts",
    "service/index": "src/service/index.ts",
    "models/index": "src/models/index.ts",
    "testing/index": "src/testing/index.ts",
    "cli/main": "src/cli/main.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20.19",
  dts: true,
  clean: true,
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
})
