import type { PortEntry } from "#app/domain/catalogue/search-vocabulary.ts";
import type { Context } from "#app/domain/context.ts";
import { enteredPort } from "#app/portal/entered-ports.server.ts";
import { portLabel } from "#app/portal/port-label.ts";

const names = ["origin", "destination", "port"] as const;
export type PortName = (typeof names)[number];

export type SearchedPorts = {
  found: { name: PortName; port: PortEntry }[];
  /** For the fields of the form. */
  fields: Record<PortName, { defaultValue: string; error: string | undefined }>;
  /** The parameters without ports that were not found. */
  params: URLSearchParams;
  /** The same search with codes in place of names, if it has names. */
  path: string | null;
};

/** The ports of a search, which people enter by name or code. */
export const enteredPorts = async (
  ctx: Pick<Context, "db" | "clock">,
  asked: URLSearchParams,
): Promise<SearchedPorts> => {
  const params = new URLSearchParams(asked);
  const ports = await Promise.all(
    names.map(async (name) => {
      const text = asked.get(name)?.trim() ?? "";
      const { port, fields } = text === "" ? { port: null, fields: [] } : await enteredPort(ctx, name, text);
      if (port) params.set(name, port.unlocode);
      else params.delete(name);
      const field = { defaultValue: port ? portLabel(port) : text, error: fields[0]?.message };
      return { name, text, port, field };
    }),
  );
  const isNamed = ports.some(({ port, text }) => port && text !== port.unlocode);
  return {
    found: ports.flatMap(({ name, port }) => (port ? [{ name, port }] : [])),
    fields: Object.fromEntries(ports.map(({ name, field }) => [name, field])) as SearchedPorts["fields"],
    params,
    path: isNamed && ports.every(({ field }) => field.error === undefined) ? `/routes?${params}` : null,
  };
};
