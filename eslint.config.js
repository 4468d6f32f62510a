/**
 * ESLint checks what Biome cannot: promises that nobody awaits, which takes TypeScript's types. Biome's own rule misses
 * drizzle's queries, and a query that nobody awaits is never sent. It also refuses code that is made of text.
 */
import typescript from "@typescript-eslint/eslint-plugin";
import parser from "@typescript-eslint/parser";

export default [
  { ignores: [".cache/", "build/", "public/", "**/*.{js,mjs,cjs}"] },
  {
    files: ["**/*.{ts,tsx}"],
    languageOptions: { parser, parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { "@typescript-eslint": typescript },
    rules: {
      "@typescript-eslint/no-floating-promises": ["error", { checkThenables: true }],
      // React's event handlers may be async.
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "@typescript-eslint/no-implied-eval": "error",
    },
  },
  {
    // Servers in tests have async handlers. An unhandled rejection fails the test anyway. A test runs the documentation's samples.
    files: ["**/*.test.ts", "app/testing/**", "e2e/**", "bench/**"],
    rules: {
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: false }],
      "@typescript-eslint/no-implied-eval": "off",
    },
  },
];
