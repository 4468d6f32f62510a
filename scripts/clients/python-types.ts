/** JSON Schemas → Python's types. Objects become TypedDicts, named after the place where they are used. */
import type { OpenApiSchema } from "#app/api/openapi.ts";

export type Types = {
  /** @param hint the name of an object that has none */
  typeOf(schema: OpenApiSchema, hint: string): string;
  /** The schema behind a reference. */
  resolved(schema: OpenApiSchema): OpenApiSchema;
  /** The text of every class that the types refer to. */
  definitions(): string[];
};

export const pythonTypes = (schemas: Record<string, OpenApiSchema>): Types => {
  const classes = new Map<string, string>();
  const names = new Map<string, string>();

  const resolved = (schema: OpenApiSchema): OpenApiSchema => {
    if (schema.$ref === undefined) return schema;
    const found = schemas[nameIn(schema.$ref)];
    if (!found) throw new Error(`The document has no ${schema.$ref}`);
    return resolved(found);
  };

  const typeOf = (schema: OpenApiSchema, hint: string): string => {
    if (schema.$ref !== undefined) return named(nameIn(schema.$ref));
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum) return literal(schema.enum);
    const alternatives = (schema.anyOf ?? schema.oneOf) as OpenApiSchema[] | undefined;
    if (alternatives) return union(alternatives.map((one) => typeOf(one, hint)));
    if (Array.isArray(schema.type)) {
      return union(schema.type.map((type) => typeOf({ ...schema, type } as OpenApiSchema, hint)));
    }
    if (schema.type === "array") return arrayOf(schema, hint);
    if (schema.type === "object") return objectOf(schema, hint);
    return scalars[schema.type ?? ""] ?? "Any";
  };

  const named = (name: string): string => {
    const schema = schemas[name];
    if (!schema) throw new Error(`The document has no schema ${name}`);
    return schema.properties ? objectOf(schema, name) : typeOf(schema, name);
  };

  const arrayOf = ({ items, prefixItems }: OpenApiSchema, hint: string): string => {
    const parts = (prefixItems ?? (typeof items === "object" ? [items] : [])) as OpenApiSchema[];
    return `List[${parts.length === 0 ? "Any" : union(parts.map((one) => typeOf(one, hint)))}]`;
  };

  const objectOf = (schema: OpenApiSchema, hint: string): string => {
    const { properties, additionalProperties } = schema;
    if (!properties) {
      return typeof additionalProperties === "object"
        ? `Dict[str, ${typeOf(additionalProperties as OpenApiSchema, hint)}]`
        : "Dict[str, Any]";
    }
    // The same object in two places is one class; another object under the same name gets a number.
    const content = JSON.stringify(schema);
    let name = hint;
    for (let count = 2; names.has(name) && names.get(name) !== content; count++) name = `${hint}${count}`;
    if (!names.has(name)) {
      names.set(name, content);
      classes.set(name, "");
      classes.set(name, classOf(name, schema));
    }
    return name;
  };

  const classOf = (name: string, { properties = {}, required = [], description }: OpenApiSchema): string => {
    const fields = Object.entries(properties).map(([field, schema]) => ({
      field,
      type: typeOf(schema as OpenApiSchema, `${name}${pascalCase(field)}`),
      description: (schema as OpenApiSchema).description ?? "",
    }));
    const must = fields.filter(({ field }) => required.includes(field));
    const may = fields.filter(({ field }) => !required.includes(field));
    if (may.length === 0) return typedDict(name, "TypedDict", must, description);
    const optional = (base: string) => typedDict(name, `${base}, total=False`, may, description);
    if (must.length === 0) return optional("TypedDict");
    return `${typedDict(`_${name}Required`, "TypedDict", must)}\n\n${optional(`_${name}Required`)}`;
  };

  return { typeOf, resolved, definitions: () => [...classes.values()] };
};

const nameIn = (ref: string): string => ref.split("/").at(-1) ?? "";

const scalars: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

const literal = (values: readonly unknown[]): string => `Literal[${values.map(pythonLiteral).join(", ")}]`;

const pythonLiteral = (value: unknown): string =>
  value === true ? "True" : value === false ? "False" : value === null ? "None" : JSON.stringify(value);

const union = (types: readonly string[]): string => {
  const distinct = [...new Set(types)];
  const others = distinct.filter((type) => type !== "None");
  const one = others.length === 1 ? (others[0] ?? "Any") : `Union[${others.join(", ")}]`;
  return others.length === distinct.length ? one : `Optional[${one}]`;
};

type Field = { field: string; type: string; description: string };

/** Names that are keywords of Python need the functional syntax. */
const keywords = new Set(["from", "in", "is", "not", "class", "def", "import", "global", "pass", "with"]);

const typedDict = (name: string, base: string, fields: Field[], description?: string): string => {
  if (fields.some(({ field }) => keywords.has(field) || !/^[A-Za-z_]\w*$/.test(field))) {
    const [, total] = /, (total=False)$/.exec(base) ?? [];
    const entries = fields.map(({ field, type }) => `    ${JSON.stringify(field)}: ${JSON.stringify(type)},`);
    return [`${name} = TypedDict(${JSON.stringify(name)}, {`, ...entries, `}${total ? `, ${total}` : ""})`].join("\n");
  }
  return [
    `class ${name}(${base}):`,
    ...(description ? [`    """${description.replaceAll("\\", "\\\\").replaceAll('"', "'")}"""`, ""] : []),
    ...fields.flatMap(({ field, type, description: words }) => [
      ...(words === "" ? [] : [`    # ${words.replaceAll("\n", " ")}`]),
      `    ${field}: ${type}`,
    ]),
  ].join("\n");
};

const pascalCase = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
