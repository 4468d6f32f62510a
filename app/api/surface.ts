/**
 * The surface of the API as lines of text: what clients may rely on. Two versions can be compared line by line.
 *
 * `GET /api-keys` is an endpoint, `GET /api-keys ? limit: integer` a parameter, `POST /auth/login < email!: string` a field
 * of its body (`!` if required), `GET /api-keys > api_keys[].id: integer` a field that the answer always has, and
 * `ApiKey > id: integer` one of a shared schema.
 */
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, OpenApiResponse, OpenApiSchema } from "./openapi.ts";

export const surfaceOf = ({ paths = {}, components = {} }: OpenApiDocument): string[] => {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    (["get", "post", "put", "delete"] as const).flatMap((method) => {
      const operation = item[method];
      return operation ? operationLines(`${method.toUpperCase()} ${path}`, operation) : [];
    }),
  );
  const schemas = Object.entries(components.schemas ?? {}).flatMap(([name, schema]) =>
    answerLines(`${name} >`, schema as OpenApiSchema),
  );
  return [...new Set([...operations, ...schemas])].sort();
};

const operationLines = (name: string, operation: OpenApiOperation): string[] => {
  const parameters = ((operation.parameters ?? []) as OpenApiParameter[]).filter((one) => one.in === "query");
  const body = operation.requestBody && "content" in operation.requestBody ? operation.requestBody.content : {};
  const answers = Object.entries(operation.responses ?? {}).filter(([status]) => status.startsWith("2"));
  return [
    name,
    ...parameters.map(
      ({ name: parameter, required, schema }) =>
        `${name} ? ${parameter}${required ? "!" : ""}: ${typeOf(schema as OpenApiSchema)}`,
    ),
    ...inputLines(`${name} <`, body["application/json"]?.schema as OpenApiSchema | undefined),
    ...answers.flatMap(([, response]) =>
      Object.entries((response as OpenApiResponse).content ?? {}).flatMap(([type, { schema }]) => [
        `${name} > ${type}`,
        ...answerLines(`${name} >`, schema as OpenApiSchema),
      ]),
    ),
  ];
};

const inputLines = (owner: string, schema: OpenApiSchema | undefined, path = ""): string[] =>
  Object.entries(schema?.properties ?? {}).flatMap(([name, property]) => {
    const mark = schema?.required?.includes(name) ? "!" : "";
    const { items } = property as OpenApiSchema;
    return [
      `${owner} ${path}${name}${mark}: ${typeOf(property as OpenApiSchema)}`,
      ...inputLines(owner, (items ?? property) as OpenApiSchema, `${path}${name}${items ? "[]" : ""}.`),
    ];
  });

/** Fields that are always there. Others are nothing to rely on. */
const answerLines = (owner: string, schema: OpenApiSchema, path = ""): string[] => {
  const branches = (schema.anyOf ?? schema.oneOf ?? []) as OpenApiSchema[];
  if (branches.length > 0) return branches.flatMap((branch) => answerLines(owner, branch, path));
  if (schema.items) return answerLines(owner, schema.items as OpenApiSchema, `${path.replace(/\.$/, "")}[].`);
  if (schema.$ref !== undefined) return path === "" ? [`${owner} ${typeOf(schema)}`] : [];
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => schema.required?.includes(name))
    .flatMap(([name, property]) => [
      `${owner} ${path}${name}: ${typeOf(property as OpenApiSchema)}`,
      ...answerLines(owner, property as OpenApiSchema, `${path}${name}.`),
    ]);
};

const typeOf = (schema: OpenApiSchema): string => {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "";
  const branches = (schema.anyOf ?? schema.oneOf) as OpenApiSchema[] | undefined;
  if (branches) return [...new Set(branches.map(typeOf))].sort().join(" | ");
  if (schema.items) return `${typeOf(schema.items as OpenApiSchema)}[]`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  return [schema.type ?? "any"].flat().sort().join(" | ");
};

/**
 * What would break clients of the recorded surface: lines that are gone, and input that has become required.
 *
 * @param recorded and present: lines of `surfaceOf`
 */
export const breakages = (recorded: readonly string[], present: readonly string[]): string[] => {
  const [before, now] = [new Set(recorded), new Set(present.map(optional))];
  const gone = recorded.filter((line) => !now.has(optional(line)));
  const demanded = present.filter(
    (line) => line !== optional(line) && !before.has(line) && before.has(operationOf(line)),
  );
  return [...gone, ...demanded];
};

/** An input line without its mark: what becomes optional breaks nobody. */
const optional = (line: string): string => line.replace(/^(.* [?<] [^:]*)!:/, "$1:");

const operationOf = (line: string): string => line.split(/ [?<>] /)[0] ?? "";
