/**
 * Import rules. Imports point down: `routes → api | portal | docs → domain → drizzle/schema`. CONTRIBUTING.md has the
 * table, and docs/decisions the reasons.
 */
const tests = "\\.test\\.tsx?$|^app/testing/";
const queries = "queries\\.server\\.ts$";
/** All imports except `import type`. */
const values = { dependencyTypesNot: ["type-only"] };

/** Where the domain keeps what the schema is made of: sets of values for enums, shapes of JSON columns. */
const schemaLeaves =
  "^app/domain/([^/]+/enums|accounts/(action|volume-agreement)|alerts/(figures|last-known)|billing-details/buyer|" +
  "catalogue/(reported-surcharge|waypoint)|imports/(finding|preview)|payments/seller|" +
  "pricing/(renewal-price-change|volume-discount-reason)|tax/tax-line)\\.ts$";

const never = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** Each vendor's package, and the only file that may import it. */
const vendors = {
  stripe: "^app/domain/payments/stripe\\.server\\.ts$",
  lucia: "^app/domain/accounts/lucia\\.server\\.ts$",
  "@node-rs/argon2": "^app/domain/accounts/password\\.server\\.ts$",
  "@zxcvbn-ts/core": "^app/domain/accounts/password-strength\\.server\\.ts$",
  "@zxcvbn-ts/language-common": "^app/domain/accounts/password-strength\\.server\\.ts$",
  "@upstash/redis": "^app/domain/rate-limit/upstash\\.server\\.ts$",
  "@upstash/ratelimit": "^app/domain/rate-limit/upstash\\.server\\.ts$",
  ioredis: "^app/domain/rate-limit/redis\\.server\\.ts$",
  nodemailer: "^app/domain/notifications/smtp\\.server\\.ts$",
  otpauth: "^app/domain/accounts/one-time-code\\.server\\.ts$",
  "@simplewebauthn/server": "^app/domain/accounts/passkey-ceremony\\.server\\.ts$",
  "@simplewebauthn/browser": "^app/portal/components/passkey-button\\.tsx$",
  uqr: "^app/portal/qr-code\\.server\\.ts$",
  postgres:
    "^(app/platform/(db|database-pool)\\.server|drizzle/migrate|scripts/backup/session|scripts/embedded-postgres/(start|connection|service-role))\\.ts$",
  micromark: "^app/portal/markdown\\.server\\.ts$",
  express: "^server/(pages|failure-page)\\.ts$",
  "ipaddr.js": "^app/platform/ip-network\\.ts$",
  standardwebhooks: "^app/domain/webhooks/signature\\.server\\.ts$",
  inngest: "^inngest/",
  croner: "^app/domain/jobs/job\\.ts$",
  fontkit: "^app/portal/receipt-fonts\\.server\\.ts$",
  pdfkit: "^app/portal/pdf-sheet\\.server\\.ts$",
  "hyparquet-writer": "^app/domain/exports/table-parquet\\.server\\.ts$",
  "write-excel-file": "^app/domain/exports/workbook-thread\\.ts$",
  "zod-openapi": "^app/api/openapi(-headers)?\\.ts$",
  "@opentelemetry/[a-z-]+": "^app/platform/otel\\.server\\.ts$",
  "@modelcontextprotocol/sdk": "^app/api/mcp/mcp-server\\.server\\.ts$",
};

/** A module must not import later ones. Modules on the same line may import each other. */
const moduleOrder = [
  ["plans", "tax"],
  ["accounts", "catalogue", "notifications", "rate-limit", "schedules"],
  ["pricing", "billing-details"],
  ["webhooks"],
  ["payments"],
  ["subscriptions", "paid-plans"],
  ["benchmarks"],
  ["changes"],
  ["comparison"],
  ["quotes", "exports"],
  ["api-keys", "usage"],
  ["alerts"],
  ["notices"],
  ["closure", "recovery"],
  ["support"],
  ["imports"],
  ["stock"],
  ["idempotency"],
  ["status"],
  ["jobs"],
  ["metrics"],
  ["test-mode"],
  ["operations"],
];

module.exports = {
  forbidden: [
    never(
      "no-cycles",
      "Files in an import cycle can only be understood together.",
      { pathNot: tests },
      { circular: true, viaOnly: values },
    ),
    never(
      "simulator-is-loaded-on-demand",
      "With real payments the simulator is not even loaded: only test mode imports it, when the service starts.",
      { path: "^app/", pathNot: [tests, "^app/domain/payments/simulat(ed|or)"] },
      { path: "^app/domain/payments/simulat(ed|or)", dynamic: false, ...values },
    ),
    never(
      "routes-are-thin",
      "Routes call verbs. They use neither SQL nor the schema.",
      { path: "^app/routes/", pathNot: tests },
      { path: [queries, "^drizzle/", "node_modules/drizzle-orm/"], ...values },
    ),
    never(
      "api-points-down",
      "The API imports the domain and the context only.",
      { path: "^app/api/", pathNot: tests },
      { path: ["^app/(routes|portal)/", "^drizzle/", "^inngest/", queries] },
    ),
    never(
      "portal-points-down",
      "The portal imports the domain and the context only.",
      { path: "^app/portal/", pathNot: tests },
      { path: ["^app/(routes|api)/", "^drizzle/", "^inngest/", queries] },
    ),
    never(
      "docs-describe",
      "The documentation is built from contracts and policies with the portal's components. It reads no data.",
      { path: "^app/docs/", pathNot: tests },
      { path: ["^app/routes/", "^app/portal/(?!components/|format\\.ts$)", "^drizzle/", "^inngest/", queries] },
    ),
    never(
      "inngest-calls-verbs",
      "Inngest runs the jobs of the registry. It uses neither SQL nor pages.",
      { path: "^inngest/", pathNot: tests },
      { path: ["^app/(routes|api|portal)/", "^drizzle/", queries], ...values },
    ),
    never(
      "domain-knows-no-entry-point",
      "The domain does not depend on HTTP, React, Remix or the configuration.",
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
      "SQL stands in queries.server.ts (and shared columns and conditions in *-columns and *-condition.server.ts).",
      {
        path: "^app/(domain|platform)/",
        pathNot: [tests, queries, "-(columns|condition)\\.server\\.ts$", "^app/platform/db\\.server"],
      },
      { path: "^drizzle/schema", ...values },
    ),
    never(
      "schema-takes-only-leaves",
      "The schema takes sets of values and JSON shapes from the domain, nothing else.",
      { path: "^drizzle/schema/" },
      { path: "^app/", pathNot: schemaLeaves },
    ),
    never(
      "schema-leaves-import-nothing",
      "The schema, and so drizzle-kit, loads these files: they stand alone.",
      { path: schemaLeaves },
      { path: "." },
    ),
    never(
      "queries-stay-in-their-module",
      "Queries are private to their module. Other modules call its verbs.",
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
      "A domain file without .server in its name does no I/O.",
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
      "The platform is below the domain, and imports only the clock from it.",
      { path: "^app/platform/", pathNot: tests },
      { path: "^app/(?!platform/|domain/clock\\.ts$)", ...values },
    ),
    ...Object.entries(vendors).map(([vendor, file]) =>
      never(
        `one-file-imports-${vendor}`,
        "Only one file imports each vendor's package, so that it can be replaced.",
        { path: "^(app|inngest|drizzle|scripts|server)/", pathNot: [tests, file] },
        { path: `node_modules/${vendor}/` },
      ),
    ),
    ...moduleOrder.slice(0, -1).map((modules, rank) => {
      const later = moduleOrder.slice(rank + 1).flat();
      return never(
        `${modules.join("-")}-come-first`,
        "When two modules need each other, the verb belongs to the later one.",
        { path: `^app/domain/(${modules.join("|")})/`, pathNot: tests },
        { path: `^app/domain/(${later.join("|")})/` },
      );
    }),
    never(
      "no-demo-in-the-product",
      "The demo catalogue and its seed are fixtures. The service must run without them.",
      { path: "^(app|inngest)/", pathNot: tests },
      { path: "^drizzle/seed/" },
    ),
    never(
      "no-tests-in-the-product",
      "Code that only tests need belongs to the tests.",
      { path: "^(app|inngest|drizzle|scripts|server)/", pathNot: [tests, "^scripts/suites/"] },
      { path: tests },
    ),
    never(
      "server-is-the-top",
      "The server starts the build. Nothing that it starts may import it.",
      { pathNot: ["^server/", "^scripts/(?:start|serve)\\.mjs$"] },
      { path: "^server/" },
    ),
    never(
      "server-uses-the-build",
      "Verbs and pages run from the build, in one copy. Beside it the server needs settings, HTTP, migrations and the demo.",
      { path: "^server/", pathNot: tests },
      { path: "^(app/(?!platform/)|drizzle/schema/|inngest/)", ...values },
    ),
    never("resolvable", "Every import must resolve.", {}, { couldNotResolve: true, pathNot: "^virtual:" }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
