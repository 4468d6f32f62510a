/** Request samples in three languages. */
import type { OperationAccess, Sample } from "./reference.ts";

export type SampleRequest = {
  method: string;
  url: string;
  access: OperationAccess;
  /** Undefined without a body. */
  body: unknown;
  csv: boolean;
};

export const samplesOf = (request: SampleRequest): Sample[] => [
  { title: "curl", code: curl(request) },
  { title: "JavaScript", code: javaScript(request) },
  { title: "Python", code: python(request) },
];

const curl = ({ method, url, access, body }: SampleRequest): string =>
  [
    `curl ${method === "GET" ? "" : `-X ${method} `}${shellQuoted(url)}`,
    ...curlCredentials[access].map((header) => `-H "${header}"`),
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d ${shellQuoted(JSON.stringify(body, null, 2))}`]),
  ].join(" \\\n  ");

const curlCredentials = {
  public: [],
  bearer: ["Authorization: Bearer $ACCESS_TOKEN"],
  key: ["X-API-Key: $API_KEY", "X-Username: $USERNAME"],
} satisfies Record<OperationAccess, string[]>;

const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const javaScript = ({ method, url, access, body, csv }: SampleRequest): string => {
  const headers = [...scriptCredentials[access], ...(body === undefined ? [] : [`"Content-Type": "application/json"`])];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0 ? [] : ["  headers: {", ...headers.map((header) => `    ${header},`), "  },"]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), "  ")}),`]),
  ];
  const call = options.length === 0 ? `fetch("${url}")` : `fetch("${url}", {\n${options.join("\n")}\n})`;
  return [
    `const response = await ${call};`,
    "if (!response.ok) throw new Error((await response.json()).message);",
    `const ${csv ? "csv" : "data"} = await response.${csv ? "text" : "json"}();`,
  ].join("\n");
};

const scriptCredentials = {
  public: [],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: part of the sample
  bearer: ["Authorization: `Bearer ${accessToken}`"],
  key: [`"X-API-Key": apiKey`, `"X-Username": username`],
} satisfies Record<OperationAccess, string[]>;

const python = ({ method, url, access, body, csv }: SampleRequest): string => {
  const headers = pythonCredentials[access];
  const lines = [
    `    "${url}",`,
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(", ")}},`]),
    ...(body === undefined ? [] : [`    json=${indented(pythonLiteral(body, 0), "    ")},`]),
    "    timeout=30,",
  ];
  return [
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    ...lines,
    ")",
    "response.raise_for_status()",
    csv ? "csv = response.text" : "data = response.json()",
  ].join("\n");
};

const pythonCredentials = {
  public: [],
  bearer: [`"Authorization": f"Bearer {access_token}"`],
  key: [`"X-API-Key": api_key`, `"X-Username": username`],
} satisfies Record<OperationAccess, string[]>;

const pythonLiteral = (value: unknown, depth: number): string => {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const items = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, depth + 1))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (items.length === 0) return `${open}${close}`;
  const pad = "    ".repeat(depth);
  return `${open}\n${items.map((item) => `${pad}    ${item},`).join("\n")}\n${pad}${close}`;
};

const indented = (text: string, pad: string) => text.replaceAll("\n", `\n${pad}`);
