import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 120_000,
    maxWorkers: 3, // many tests wait for timers and other processes: two cores have room for three
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts", "ui/src/**/*.test.ts"],
          exclude: ["test/ui/**", "**/node_modules/**"],
        },
      },
      {
        // A browser, runs and a server are made once for all of these.
        extends: true,
        test: {
          name: "ui",
          include: ["test/ui/**/*.test.ts"],
          globalSetup: "test/ui/setup.ts",
          testTimeout: 60_000,
        },
      },
    ],
  },
})
