/**
 * Who may import whom: one way down, `routes → api | portal → domain → drizzle/schema`. The table and its reasons stand
 * in docs/decisions.
 */
const tests = "\\.test\\.tsx?$|^app/testing/";
const queries = "queries\\.server\\.ts$";
/** Everything but `import type`. */
const values = { dependencyTypesNot: ["type-only"] };

const never = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** Each vendor has one file that knows it. */
const vendors = {
  stripe: "^app/domain/payments/stripe\\.server\\.ts$",
  lucia: "^app/domain/accounts/lucia\\.server\\.ts$",
  "@lucia-auth": "^app/domain/accounts/lucia\\.server\\.ts$",
  "@node-rs/argon2": "^app/domain/accounts/password\\.server\\.ts$",
  "@upstash/redis": "^app/domain/rate-limit/upstash\\.server\\.ts$",
  "@upstash/ratelimit": "^app/domain/rate-limit/upstash\\.server\\.ts$",
  ioredis: "^app/domain/rate-limit/redis\\.server\\.ts$",
  nodemailer: "^app/domain/notifications/smtp\\.server\\.ts$",
  otpauth: "^app/domain/accounts/one-time-code\\.server\\.ts$",
  uqr: "^app/portal/qr-code\\.server\\.ts$",
  postgres:
    "^(app/platform/(db|database-pool)\\.server|drizzle/migrate|scripts/embedded-postgres/(start|connection))\\.ts$",
  express: "^server/pages\\.ts$",
  inngest: "^inngest/",
  croner: "^app/domain/jobs/job\\.ts$",
  fontkit: "^app/portal/receipt-fonts\\.server\\.ts$",
  pdfkit: "^app/portal/receipt-pdf\\.server\\.ts$",
  "zod-openapi": "^app/api/openapi\\.ts$",
};

/** Earlier ones know nothing of later ones; those of one line are equals. */
const moduleOrder = [
  ["accounts", "catalogue", "notifications", "rate-limit"],
  ["pricing"],
  ["payments"],
  ["subscriptions"],
  ["api-keys"],
  ["usage"],
  ["closure"],
  ["support"],
  ["imports"],
  ["jobs"],
  ["test-mode"],
  ["operations"],
];

module.exports = {
  forbidden: [
    never(
      "no-circles",
      "Files that import each other cannot be understood one after the other.",
      { pathNot: tests },
      { circular: true, viaOnly: values },
    ),
    never(
      "routes-are-thin",
      "A route calls a verb; SQL and the schema are below it.",
      { path: "^app/routes/", pathNot: tests },
      { path: [queries, "^drizzle/", "node_modules/drizzle-orm/"], ...values },
    ),
    never(
      "api-points-down",
      "The API knows the domain and the context, nothing beside or above it.",
      { path: "^app/api/", pathNot: tests },
      { path: ["^app/(routes|portal)/", "^drizzle/", "^inngest/", queries] },
    ),
    never(
      "portal-points-down",
      "The portal knows the domain and the context, nothing beside or above it.",
      { path: "^app/portal/", pathNot: tests },
      { path: ["^app/(routes|api)/", "^drizzle/", "^inngest/", queries] },
    ),
    never(
      "docs-describe",
      "The documentation shows what contracts and rules say, in the portal's look; it reads no data.",
      { path: "^app/docs/", pathNot: tests },
      { path: ["^app/routes/", "^app/portal/(?!components/|format\\.ts$)", "^drizzle/", "^inngest/", queries] },
    ),
    never(
      "inngest-calls-verbs",
      "Inngest calls the jobs of the registry; it knows no SQL and no page.",
      { path: "^inngest/", pathNot: tests },
      { path: ["^app/(routes|api|portal)/", "^drizzle/", queries], ...values },
    ),
    never(
      "domain-knows-no-door",
      "The domain knows no HTTP, no React, no Remix and no settings.",
      { path: "^app/domain/", pathNot: tests },
      {
        path: [
          "^app/(routes|api|portal)/",
          "^app/(context|entry)\\.server",
          "^app/platform/env\\.server",
          "^inngest/",
          "node_modules/(@remix-run/|react/|react-dom/|react-router)",
        ],
      },
    ),
    never(
      "schema-is-for-queries",
      "SQL stands in queries.server.ts (and shared column lists in *-columns.server.ts).",
      {
        path: "^app/(domain|platform)/",
        pathNot: [tests, queries, "-columns\\.server\\.ts$", "^app/platform/db\\.server"],
      },
      { path: "^drizzle/schema", ...values },
    ),
    never(
      "queries-stay-home",
      "A module's queries are its own; others call its verbs.",
      { path: "^app/domain/([^/]+)/", pathNot: tests },
      { path: queries, pathNot: "^app/domain/$1/" },
    ),
    never(
      "queries-stay-in-the-domain",
      "Only verbs use queries.",
      { pathNot: [tests, "^app/domain/"] },
      { path: queries },
    ),
    never(
      "pure-stays-pure",
      "A domain file without .server decides; it does no I/O.",
      { path: "^app/domain/", pathNot: [tests, "\\.server\\.tsx?$"] },
      {
        path: [
          "\\.server\\.tsx?$",
          "^drizzle/",
          "node_modules/(drizzle-orm|postgres)/",
          "^(node:)?(fs|net|http|https|child_process|dns|os)(/|$)",
        ],
        ...values,
      },
    ),
    never(
      "platform-is-below",
      "The platform serves the domain; of it, it knows the clock.",
      { path: "^app/platform/", pathNot: tests },
      { path: "^app/(?!platform/|domain/clock\\.ts$)", ...values },
    ),
    ...Object.entries(vendors).map(([vendor, file]) =>
      never(
        `one-file-knows-${vendor}`,
        "A vendor can be replaced where one file knows it.",
        { path: "^(app|inngest|drizzle|scripts|server)/", pathNot: [tests, file] },
        { path: `node_modules/${vendor}/` },
      ),
    ),
    ...moduleOrder.slice(0, -1).map((modules, rank) => {
      const later = moduleOrder.slice(rank + 1).flat();
      return never(
        `${modules.join("-")}-come-first`,
        "Where two modules need each other, the verb belongs to the later one.",
        { path: `^app/domain/(${modules.join("|")})/`, pathNot: tests },
        { path: `^app/domain/(${later.join("|")})/` },
      );
    }),
    never(
      "no-tests-in-the-product",
      "What only tests need stays in tests.",
      { path: "^(app|inngest|drizzle|scripts|server)/", pathNot: [tests, "^scripts/suites/"] },
      { path: tests },
    ),
    never(
      "server-is-the-top",
      "The server starts the build; nothing that it starts knows it.",
      { pathNot: ["^server/", "^scripts/start\\.mjs$"] },
      { path: "^server/" },
    ),
    never(
      "server-uses-the-build",
      "Verbs and pages run from the build, in one copy. Beside it the server needs settings, HTTP, migrations and the demo.",
      { path: "^server/", pathNot: tests },
      { path: "^(app/(?!platform/)|drizzle/schema|inngest/)", ...values },
    ),
    never("resolvable", "An import leads somewhere.", {}, { couldNotResolve: true, pathNot: "^virtual:" }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
