/**
 * Remix compares an address with every route of the app, several times for each page, which took a third of a simple page's time.
 * Here it is compared only with the routes of its first segment, the home page and the catch-all.
 */
import type { Build } from "./build.ts";

/** Handlers for the build's sections, made when first needed. The returned function takes a URL's path and query. */
export const perSection = <Handler>(
  build: Build,
  handlerOf: (build: Build) => Handler,
): ((pathAndQuery: string) => Handler) => {
  const sectionById = sectionsOf(build);
  const sections = new Set(sectionById.values());
  const kept = new Map<string | undefined, Handler>();
  return (pathAndQuery) => {
    const asked = sectionIn(pathAndQuery);
    const section = asked === undefined || sections.has(asked) ? asked : "";
    const handler =
      kept.get(section) ?? handlerOf(section === undefined ? build : withSection(build, section, sectionById));
    kept.set(section, handler);
    return handler;
  };
};

/** The first segment, as in `/routes/12` and `/routes.data`. Undefined: it may need decoding, so all routes are compared. */
const sectionIn = (pathAndQuery: string): string | undefined => {
  // As Remix reads it: without dot segments.
  const url = `http://localhost${pathAndQuery}`;
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  const [, segment, rest] = /^\/([\w.-]*)(.*)/.exec(path) ?? [];
  if (segment === undefined || (rest !== "" && !rest?.startsWith("/")) || path.startsWith("//")) return undefined;
  const section = (rest === "" ? segment.replace(/\.data$/, "") : segment).toLowerCase();
  return section === "_root" ? "" : section;
};

/** The section of each route. The home page and routes for any address are in section "", root has none. */
const sectionsOf = ({ routes }: Build): Map<string, string> => {
  const sectionOf = (id: string): string | null => {
    const route = routes[id];
    if (route?.parentId === undefined) return null;
    if (route.parentId !== "root") return sectionOf(route.parentId);
    const [segment = ""] = route.path?.split("/") ?? [];
    return /^[\w.-]+$/.test(segment) ? segment.toLowerCase() : "";
  };
  return new Map(
    Object.keys(routes).flatMap((id) => {
      const section = sectionOf(id);
      return section === null ? [] : [[id, section]];
    }),
  );
};

const withSection = (build: Build, section: string, sectionById: ReadonlyMap<string, string>): Build => {
  const only = <Route>(routes: Record<string, Route>): Record<string, Route> =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => ["", section, undefined].includes(sectionById.get(id))));
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } };
};
