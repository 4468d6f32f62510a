import { guides } from "./guides.ts";
import type { ReferenceGroup } from "./reference.ts";

/** `llms.txt`: the API's documents, listed for language models (https://llmstxt.org). */
export const llmsText = (appUrl: string, groups: readonly ReferenceGroup[]): string =>
  [
    "# Shipping Route Data Service",
    "",
    "> Shipping routes between ports as data, by subscription: schedules, transit times, rates, surcharges and capacity. A JSON API and a web portal.",
    "",
    `Every path of the API begins with ${appUrl}/api. Account endpoints take \`Authorization: Bearer <token>\`; route data by key takes \`X-API-Key\` and \`X-Username\` together. Errors are \`{ "success": false, "message", "request_id" }\`. Every response carries X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.`,
    "",
    "## Description",
    "",
    `- [OpenAPI 3.1](${appUrl}/api/openapi.json): every endpoint, parameter, field, status and header, with examples`,
    `- [Changelog](${appUrl}/docs/changelog): what has changed, the version, and how endpoints are deprecated`,
    `- MCP server: ${appUrl}/api/mcp, streamable HTTP; [how to connect](${appUrl}/docs/assistants)`,
    "",
    "## Guides",
    "",
    ...guides.map(({ slug, title, description }) => `- [${title}](${appUrl}/docs/${slug}): ${description}`),
    ...groups.flatMap(({ tag, description, operations }) => [
      "",
      `## ${tag}`,
      "",
      description,
      "",
      ...operations.map(
        ({ slug, method, path, summary }) => `- [${method} ${path}](${appUrl}/docs/reference/${slug}): ${summary}`,
      ),
    ]),
    "",
  ].join("\n");
