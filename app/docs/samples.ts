/**
 * Request samples in three languages. What belongs to the reader (credentials, ids of the account's own records, and
 * other values in paths) is a variable; everything else exists, so that each sample runs as it is.
 */
import type { OperationAccess, Sample } from "./reference.ts";

export type SampleRequest = {
  method: string;
  /** Names of variables are in braces: `…/api-keys/{api_key_id}`. */
  url: string;
  access: OperationAccess;
  /** Undefined without a body. Names of variables are in braces, as in the URL. */
  body: unknown;
  csv: boolean;
  /** The response is a stream of events without an end. */
  events: boolean;
};

export const samplesOf = (request: SampleRequest): Sample[] => [
  { title: "curl", language: "bash", code: curl(request) },
  { title: "JavaScript", language: "javascript", code: javaScript(request) },
  { title: "Python", language: "python", code: python(request) },
];

const variables = /\{(\w+)\}/g;
const hasVariables = (text: string): boolean => text.search(variables) >= 0;

const curl = ({ method, url, access, body, events }: SampleRequest): string => {
  const json = body === undefined ? null : JSON.stringify(body, null, 2);
  // Between quotes the shell would not fill in the variables.
  const fromInput = json !== null && hasVariables(json);
  const lines = [
    `curl ${events ? "--no-buffer --max-time 10 " : ""}${method === "GET" ? "" : `-X ${method} `}${shellText(url)}`,
    ...curlCredentials[access].map((header) => `-H "${header}"`),
    ...(json === null
      ? []
      : [`-H "Content-Type: application/json"`, fromInput ? "-d @- <<JSON" : `-d ${shellText(json)}`]),
  ].join(" \\\n  ");
  // curl exits with 28 when --max-time is over. Without --max-time it follows forever.
  if (events) return `${lines} || [ $? = 28 ]`;
  return fromInput ? `${lines}\n${shellVariables(withNumbers(json))}\nJSON` : lines;
};

/** Variables in bodies that hold numbers, which JSON does not quote. */
const numbers = ["subscription_id", "other_subscription_id"];
const withNumbers = (json: string) =>
  json.replace(/"(\{(\w+)\})"/g, (quoted, variable: string, name: string) =>
    numbers.includes(name) ? variable : quoted,
  );

const curlCredentials = {
  public: [],
  bearer: ["Authorization: Bearer $ACCESS_TOKEN"],
  key: ["X-API-Key: $API_KEY", "X-Username: $USERNAME"],
  bearer_or_key: ["X-API-Key: $API_KEY", "X-Username: $USERNAME"],
} satisfies Record<OperationAccess, string[]>;

const shellText = (text: string) =>
  hasVariables(text) ? `"${shellVariables(text)}"` : `'${text.replaceAll("'", "'\\''")}'`;

const shellVariables = (text: string) => text.replace(variables, (_, name: string) => `$${name.toUpperCase()}`);

const javaScript = ({ method, url, access, body, csv, events }: SampleRequest): string => {
  const headers = [...scriptCredentials[access], ...(body === undefined ? [] : [`"Content-Type": "application/json"`])];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0 ? [] : ["  headers: {", ...headers.map((header) => `    ${header},`), "  },"]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(scriptLiteral(body), "  ")}),`]),
  ];
  const address = hasVariables(url)
    ? `\`${url.replace(variables, (_, name: string) => `\${${camelCase(name)}}`)}\``
    : `"${url}"`;
  const call = options.length === 0 ? `fetch(${address})` : `fetch(${address}, {\n${options.join("\n")}\n})`;
  return [
    `const response = await ${call};`,
    "if (!response.ok) throw new Error((await response.json()).message);",
    ...(events ? javaScriptEvents : [`const ${csv ? "csv" : "data"} = await response.${csv ? "text" : "json"}();`]),
  ].join("\n");
};

const javaScriptEvents = [
  "for await (const text of response.body.pipeThrough(new TextDecoderStream())) {",
  "  console.log(text);",
  "  break; // Without this line it follows forever.",
  "}",
];

const scriptCredentials = {
  public: [],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: part of the sample
  bearer: ["Authorization: `Bearer ${accessToken}`"],
  key: [`"X-API-Key": apiKey`, `"X-Username": username`],
  bearer_or_key: [`"X-API-Key": apiKey`, `"X-Username": username`],
} satisfies Record<OperationAccess, string[]>;

const scriptLiteral = (body: unknown) =>
  JSON.stringify(body, null, 2).replace(/"\{(\w+)\}"/g, (_, name: string) => camelCase(name));

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const python = ({ method, url, access, body, csv, events }: SampleRequest): string => {
  const headers = pythonCredentials[access];
  const lines = [
    `    ${hasVariables(url) ? "f" : ""}"${url}",`,
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(", ")}},`]),
    ...(body === undefined ? [] : [`    json=${indented(pythonLiteral(body, 0), "    ")},`]),
    "    timeout=30,",
    ...(events ? ["    stream=True,"] : []),
  ];
  return [
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    ...lines,
    ")",
    "response.raise_for_status()",
    ...(events ? pythonEvents : [csv ? "csv = response.text" : "data = response.json()"]),
  ].join("\n");
};

const pythonEvents = [
  "for line in response.iter_lines(decode_unicode=True):",
  "    print(line)",
  "    break  # Without this line it follows forever.",
];

const pythonCredentials = {
  public: [],
  bearer: [`"Authorization": f"Bearer {access_token}"`],
  key: [`"X-API-Key": api_key`, `"X-Username": username`],
  bearer_or_key: [`"X-API-Key": api_key`, `"X-Username": username`],
} satisfies Record<OperationAccess, string[]>;

const pythonLiteral = (value: unknown, depth: number): string => {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value !== "object") return JSON.stringify(value).replace(/^"\{(\w+)\}"$/, "$1");
  const items = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, depth + 1))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (items.length === 0) return `${open}${close}`;
  const pad = "    ".repeat(depth);
  return `${open}\n${items.map((item) => `${pad}    ${item},`).join("\n")}\n${pad}${close}`;
};

const indented = (text: string, pad: string) => text.replaceAll("\n", `\n${pad}`);
