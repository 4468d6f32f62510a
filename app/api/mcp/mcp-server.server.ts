/**
 * The Model Context Protocol: JSON-RPC messages → tools. Stateless: every message gets its own server and transport,
 * so that any process can answer it.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { forbidden, invalid, type Refusal } from "../../domain/errors.ts";
import { failureOf } from "../../domain/failure.ts";
import { statusOf } from "../../platform/refusal-status.ts";
import { apiVersion } from "../openapi.ts";
import { routeIdOf } from "../query.ts";
import { type Endpoint, type LoggedResponse, perform, serveProtocol } from "../serve.server.ts";
import { mcp } from "./contract.ts";
import { schemasOf, type Tool } from "./tool.ts";

type Request = Parameters<typeof perform>[1];

/** The endpoint of the protocol with these tools. */
export const serveMcp = (tools: readonly Tool[]): Endpoint =>
  serveProtocol(mcp, async ({ body, ...request }) => {
    refuseForeignOrigin(request);
    return respond(tools, request, body);
  });

/** Protects against DNS rebinding and pages of other sites, as the protocol requires. @throws forbidden */
const refuseForeignOrigin = ({ ctx, header }: Request): void => {
  const origin = header("origin");
  if (origin !== null && origin !== new URL(ctx.settings.appUrl).origin) throw forbidden();
};

const respond = async (tools: readonly Tool[], request: Request, message: unknown): Promise<LoggedResponse> => {
  let logged: LoggedResponse["logged"];
  // The SDK would send the message of any error to the client.
  let failure: { error: unknown } | undefined;
  const server = new Server(
    { name: "shipping-route-data", title: "Shipping Route Data Service", version: apiVersion },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator: unusedValidator },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map((tool) => describe(tool, request.ctx.settings.appUrl)),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}`);
    const call = callOf(tool, given);
    logged = { endpoint: `${mcp.path}/${name}`, routeId: routeIdOf(tool.endpoint.contract, call.search) };
    try {
      return resultOf(tool, await run(tool, request, call));
    } catch (error) {
      const refusal = toolRefusal(error);
      if (!refusal) failure = { error };
      else logged.status = statusOf[refusal.code];
      return refusal ? errorResult(refusal) : { content: [] };
    }
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const response = await transport.handleRequest(webRequest(request), { parsedBody: message });
  const body = await response.text();
  await server.close();
  if (failure) throw failure.error;
  return { status: response.status, headers: {}, body, ...(logged ? { logged } : {}) };
};

const instructions = `Read-only access to shipping route data, for one account. Search routes first: the other tools take the ids that search_routes answers. A route's data needs a running subscription (check_access). Money is in minor units of its currency, times are UTC, ports are UN/LOCODEs. quote_prices says what a subscription costs; nothing here buys one. Each call counts as one request of the account's rate limit.`;

/** Only elicitation validates with it, which this server never asks for. Making the SDK's own takes milliseconds. */
const unusedValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "not used" }) as const,
};

/** Only the headers that the transport checks. */
const webRequest = ({ header }: Request): globalThis.Request => {
  const headers = new Headers();
  for (const name of ["accept", "content-type", "mcp-protocol-version"]) {
    const value = header(name);
    if (value !== null) headers.set(name, value);
  }
  return new globalThis.Request("http://localhost/", { method: "POST", headers });
};

const describe = (tool: Tool, appUrl: string) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  ...schemasOf(tool, appUrl),
  annotations: { title: tool.title, readOnlyHint: true, openWorldHint: false },
});

type Call = { search: URLSearchParams; body: unknown; unknown: string[] };

/** The HTTP request that a tool call corresponds to. */
const callOf = ({ endpoint: { contract }, defaults }: Tool, given: Record<string, unknown>): Call => {
  const values = { ...defaults, ...given };
  if (contract.body) return { search: new URLSearchParams(), body: values, unknown: [] };
  const known: string[] = Object.keys((contract.query as { shape?: object } | undefined)?.shape ?? {});
  // Models send null for what they leave out.
  const present = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  const search = new URLSearchParams(
    present.flatMap(([name, value]) => [value].flat().map((one) => [name, textOf(one)])),
  );
  return { search, body: undefined, unknown: Object.keys(values).filter((name) => !known.includes(name)) };
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** @throws Refusal */
const run = (tool: Tool, request: Request, { unknown: [stranger], ...input }: Call): Promise<unknown> => {
  if (stranger !== undefined) throw invalid(stranger.slice(0, 64), "Unknown argument");
  return perform(tool.endpoint, request, input);
};

/** The refusal that the model can act on. Null: the service cannot answer, which is an error of HTTP. */
const toolRefusal = (error: unknown): Refusal | null => {
  const { refusal } = failureOf(error);
  return refusal && statusOf[refusal.code] < 500 ? refusal : null;
};

/** The data twice, as the protocol recommends: for clients that read `structuredContent` and for those that do not. */
const resultOf = ({ title }: Tool, answer: unknown): CallToolResult => ({
  content: [
    { type: "text", text: `${title}: ${summaryOf(answer)}` },
    { type: "text", text: JSON.stringify(answer) },
  ],
  structuredContent: answer as Record<string, unknown>,
});

/** `10 routes, more with next_cursor` */
const summaryOf = (answer: unknown): string => {
  const { next_cursor = null, has_more = next_cursor !== null, ...fields } = answer as Record<string, unknown>;
  const [name, list] = Object.entries(fields).findLast(([, value]) => Array.isArray(value)) ?? ["results", []];
  const { length } = list as unknown[];
  return `${length} ${length === 1 ? name.replace(/s$/, "") : name}${has_more ? ", more with next_cursor" : ""}`;
};

const errorResult = ({ code, message, fields }: Refusal): CallToolResult => ({
  isError: true,
  content: [
    {
      type: "text",
      text: [
        `${code} (${statusOf[code]}): ${message}`,
        ...fields.map((field) => `${field.path}: ${field.message}`),
      ].join("\n"),
    },
  ],
});
