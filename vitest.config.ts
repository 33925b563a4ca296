import { defineConfig } from "vitest/config";

const shared = { pool: "forks" as const, environment: "node", setupFiles: ["./vitest.setup.ts"] };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["{shared,services,scripts}/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/*.{integration,containers}.test.ts"],
          testTimeout: 5_000,
        },
      },
      {
        test: {
          ...shared,
          name: "integration",
          include: ["{shared,services,scripts}/**/*.integration.test.ts"],
          exclude: ["**/node_modules/**"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: "containers",
          include: ["{shared,services,scripts}/**/*.containers.test.ts"],
          exclude: ["**/node_modules/**"],
          testTimeout: 240_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
