/** The template of a path, `/routes/{route_id}` of `/routes/109?from=…`: for metrics and traces, which must not have paths of their own. */

type Node = { literal: Map<string, Node>; parameter: Node | null; template: string | null; rest: string | null };

const newNode = (): Node => ({ literal: new Map(), parameter: null, template: null, rest: null });

export const unknownTemplate = "/{unknown}";

type RouteEntry = { path?: string | undefined; index?: boolean | undefined; parentId?: string | undefined };

/** @param routes those of Remix's build, by id */
export const routeTemplates = (
  routes: Readonly<Record<string, RouteEntry | undefined>>,
): ((target: string) => string) => {
  const root = newNode();
  for (const route of Object.values(routes)) if (route) add(root, segmentsOf(fullPath(routes, route)));
  return (target) => find(root, target);
};

const fullPath = (routes: Readonly<Record<string, RouteEntry | undefined>>, route: RouteEntry): string => {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId];
  return `${parent ? fullPath(routes, parent) : ""}/${route.path ?? ""}`;
};

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

const add = (root: Node, segments: string[]): void => {
  const template = `/${segments.map((segment) => segment.replace(/^:(.+)$/, "{$1}").replace(/^\*$/, "{rest}")).join("/")}`;
  let node = root;
  for (const segment of segments) {
    if (segment === "*") {
      // The page for unknown addresses.
      node.rest = segments.length === 1 ? unknownTemplate : template;
      return;
    }
    if (segment.startsWith(":")) {
      node.parameter ??= newNode();
      node = node.parameter;
    } else {
      const next = node.literal.get(segment) ?? newNode();
      node.literal.set(segment, next);
      node = next;
    }
  }
  node.template = template;
};

const find = (root: Node, target: string): string => {
  const query = target.indexOf("?");
  const path = query === -1 ? target : target.slice(0, query);
  // Pages are loaded as data, too: `/usage.data`, and `/_root.data` for the home page.
  const page = path.endsWith(".data") ? path.slice(0, -".data".length).replace(/^\/_root$/, "/") : path;
  return descend(root, page, 1) ?? unknownTemplate;
};

/** Literal segments win over parameters, and parameters over the rest, as in the router. @param from behind the slash */
const descend = (node: Node, path: string, from: number): string | null => {
  if (from >= path.length) return node.template ?? node.rest;
  const slash = path.indexOf("/", from);
  const end = slash === -1 ? path.length : slash;
  if (end === from) return descend(node, path, end + 1);
  const literal = node.literal.get(path.slice(from, end));
  const found = literal === undefined ? null : descend(literal, path, end + 1);
  return found ?? (node.parameter && descend(node.parameter, path, end + 1)) ?? node.rest;
};
