/** What a freight person expects to find first, on the whole demo catalogue. */
import { describe, expect, it } from "vitest";
import { demoSearch } from "../../testing/demo-search.ts";
import type { RouteSearch } from "./search.ts";
import type { IndexedRoute } from "./search-columns.ts";

const { index, directory, routes } = demoSearch();
const ports = new Map(directory.ports.map((port) => [port.id, port]));
const carriers = new Map(directory.carriers.map(({ id, name }) => [id, name]));
const routeById = new Map(routes.map((route) => [route.id, route]));

const found = (search: RouteSearch): IndexedRoute[] =>
  index
    .search(search)
    .page("relevance", 3_000, null)
    .map(({ id }) => routeById.get(id) as IndexedRoute);
const portOf = (id: number) => ports.get(id)?.unlocode;
const pairsOf = (rows: IndexedRoute[]) => [
  ...new Set(rows.map(({ originId, destinationId }) => `${portOf(originId)} ${portOf(destinationId)}`)),
];

describe("A search for two ports finds the direction that was typed first, then the other", () => {
  it.each([
    ["shanghai-rotterdam"],
    ["Shanghai Rotterdam"],
    ["shanghai → rotterdam"],
    ["Shanghai to Rotterdam"],
    ["to Rotterdam from Shanghai"],
    ["CNSHA NLRTM"],
    ["cnsha-nlrtm"],
    ["CNSGH/NLRTM"],
    ["shangh rott"],
    ["Shangai Rotterdm"],
  ])("%s", (q) => {
    expect(pairsOf(found({ q }))).toEqual(["CNSHA NLRTM", "NLRTM CNSHA"]);
  });

  it.each([
    ["Bombay Jebel Ali", "INNSA AEJEA"],
    ["Ningbo-Zhoushan Felixtowe", "CNNGB GBFXT"],
    ["Pusan Seattle", "KRPUS USSEA"],
  ])("%s", (q, first) => {
    expect(pairsOf(found({ q }))[0]).toBe(first);
  });
});

describe("A search for one port finds the routes from and to it, and nothing else first", () => {
  it.each([
    ["Rotterdam", "NLRTM"],
    ["NLRTM", "NLRTM"],
    ["rott", "NLRTM"],
    ["Roterdam", "NLRTM"],
    ["Felixtowe", "GBFXT"],
    ["felixstow", "GBFXT"],
    ["Antwerpen", "BEANR"],
    ["Anvers", "BEANR"],
    ["Saigon", "VNSGN"],
    ["HCMC", "VNSGN"],
    ["LA", "USLAX"],
    ["los angeles", "USLAX"],
    ["NY", "USNYC"],
    ["Newark", "USNYC"],
    ["Chittagong", "BDCGP"],
    ["Bombay", "INNSA"],
    ["Dubai", "AEJEA"],
    ["Pusan", "KRPUS"],
    ["Genova", "ITGOA"],
    ["Göteborg", "SEGOT"],
    ["Danzig", "PLGDN"],
    ["Odessa", "UAODS"],
    ["CNSGH", "CNSHA"],
    ["Tsingtao", "CNTAO"],
    ["Le Havre", "FRLEH"],
    ["Hamburg", "DEHAM"],
  ])("%s: %s", (q, unlocode) => {
    const all = routes.filter(({ originId, destinationId }) =>
      [originId, destinationId].map(portOf).includes(unlocode),
    );
    expect(all.length).toBeGreaterThan(0);
    const first = found({ q }).slice(0, all.length);
    expect(new Set(first.map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)));
  });

  it("lists the routes from the port before those to it", () => {
    const ends = found({ q: "Antwerpen" }).map(({ originId }) => portOf(originId) === "BEANR");
    expect(ends).toEqual(ends.toSorted((a, b) => Number(b) - Number(a)));
  });

  it("finds both ports of a city", () => {
    const origins = found({ q: "from Shenzhen" }).map(({ originId }) => portOf(originId));
    expect(origins).toEqual(expect.arrayContaining(["CNSHK", "CNYTN"]));
  });
});

const regionCodes = new Map(directory.regions.map(({ id, code }) => [id, code]));
const regionsOf = ({ originId, destinationId }: IndexedRoute) =>
  [originId, destinationId].map((id) => regionCodes.get(ports.get(id)?.regionId ?? 0)).join(" ");

describe("A search for areas finds the trade between them, in that direction first", () => {
  it.each([
    ["far east europe", "EAS NEU"],
    ["Asia – North Europe", "EAS NEU"],
    ["EAS-NEU", "EAS NEU"],
    ["US west coast to far east", "NAW EAS"],
    ["uswc far east", "NAW EAS"],
    ["Middle East Far East", "MEG EAS"],
    ["ECSA north europe", "SAE NEU"],
  ])("%s: %s", (q, regions) => {
    expect([...new Set(found({ q }).slice(0, 10).map(regionsOf))]).toEqual([regions]);
  });

  const countriesOf = ({ originId, destinationId }: IndexedRoute) =>
    [originId, destinationId].map((id) => ports.get(id)?.countryCode).join(" ");
  it.each([
    ["China Netherlands", "CN NL"],
    ["china holland", "CN NL"],
    ["USA Germany", "US DE"],
    ["Korea USA", "KR US"],
    ["Grmany USA", "DE US"],
  ])("%s: %s", (q, countries) => {
    expect(countriesOf(found({ q })[0] as IndexedRoute)).toBe(countries);
  });
});

describe("A search for a carrier", () => {
  it.each([["Pelorin"], ["PEL9"], ["Pelorin Lines"], ["pelor"], ["Pelorinn"]])("finds its routes: %s", (q) => {
    const rows = found({ q });
    expect(new Set(rows.map(({ carrierId }) => carriers.get(carrierId)))).toEqual(new Set(["Pelorin Lines (demo)"]));
    expect(rows).toHaveLength(routes.filter(({ carrierId }) => carriers.get(carrierId)?.startsWith("Pelorin")).length);
  });

  it("between ports finds its routes between them", () => {
    expect(found({ q: "Pelorin Shanghai Rotterdam" }).map(({ code }) => code)).toEqual(["C-CNSHA-NLRTM-PEL9"]);
  });
});

describe("A search", () => {
  it("for the code of a route finds this route only", () => {
    expect(found({ q: "c-cnsha-nlrtm-pel9" }).map(({ code }) => code)).toEqual(["C-CNSHA-NLRTM-PEL9"]);
  });

  it("for the beginning of a code finds the routes that have it first", () => {
    expect(pairsOf(found({ q: "C-CNSHA-NLRTM" }))[0]).toBe("CNSHA NLRTM");
  });

  it.each([
    ["roro japan", "ro_ro"],
    ["Ro-Ro Japan", "ro_ro"],
    ["bulk australia china", "bulk"],
    ["breakbulk Hamburg", "break_bulk"],
  ])("for a cargo finds routes for it: %s", (q, cargoType) => {
    const rows = found({ q });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows[0]?.cargoType).toBe(cargoType);
  });

  it("does not look inside of words for what names something", () => {
    const texts = found({ q: "LA" }).flatMap(({ originId, destinationId }) => [originId, destinationId].map(portOf));
    expect(texts).not.toContain("IDBLW");
  });

  it("for something that nothing resembles finds nothing", () => {
    expect(found({ q: "xyzzyplugh" })).toEqual([]);
  });
});

describe("Ports", () => {
  const first = (q: string, limit = 1) => index.ports.find(q, limit).map(({ id }) => portOf(id));
  it.each([
    ["sha", "CNSHA"],
    ["rot", "NLRTM"],
    ["nlr", "NLRTM"],
    ["la", "USLAX"],
    ["saig", "VNSGN"],
    ["antwerpen", "BEANR"],
    ["felixto", "GBFXT"],
    ["roterd", "NLRTM"],
    ["NL", "NLRTM"],
    ["hambrug", "DEHAM"],
    ["hong k", "HKHKG"],
    ["CNSGH", "CNSHA"],
  ])("are offered for %s: %s", (q, unlocode) => {
    expect(first(q)).toEqual([unlocode]);
  });

  it("of a country are offered, the busiest first", () => {
    const offered = index.ports.find("germany", 20);
    expect(new Set(offered.map(({ id }) => ports.get(id)?.countryCode))).toEqual(new Set(["DE"]));
    expect(offered.length).toBeGreaterThan(3);
  });

  it("are offered as destinations only if a route goes there", () => {
    const offered = index.ports.find("china", 100, { from: "NLRTM" }).map(({ id }) => portOf(id));
    const reached = routes
      .filter(({ originId }) => portOf(originId) === "NLRTM")
      .map(({ destinationId }) => portOf(destinationId));
    expect(offered.length).toBeGreaterThan(0);
    expect(reached).toEqual(expect.arrayContaining(offered));
  });
});

describe("Pairs of ports", () => {
  const pairs = (q: string) =>
    index.ports
      .findPairs(q, 5)
      .map(({ originId, destinationId, routes }) => [portOf(originId), portOf(destinationId), routes]);
  it.each(["shanghai rott", "CNSHA NLRTM", "shangai-rotterdam", "sha rot"])(
    "are offered with the number of their routes: %s",
    (q) => {
      expect(pairs(q)[0]).toEqual(["CNSHA", "NLRTM", 3]);
    },
  );

  it("of one word begin there, the busiest first", () => {
    const offered = pairs("antwerpen");
    expect(new Set(offered.map(([origin]) => origin))).toEqual(new Set(["BEANR"]));
    const counts = offered.map(([, , routes]) => routes as number);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  });
});

describe("A search with misspelt words", () => {
  it.each([
    ["roterdam", "rotterdam"],
    ["Shangai Rotterdm", "shanghai rotterdam"],
    ["shanghai hambrug", "shanghai hamburg"],
    ["Pelorrin", "pelorin"],
  ])("%s is taken for %s", (q, corrected) => {
    expect(index.correctionOf(q)).toBe(corrected);
  });

  it.each(["Rotterdam", "shangh rott", "CNSHA NLRTM", "zzzzzz", "rotterdam zzzzzz", ""])(
    "%s has no correction",
    (q) => {
      expect(index.correctionOf(q)).toBeNull();
    },
  );
});

describe("Pairs of ports near another pair", () => {
  const near = (from: string, to: string, limit = 100) =>
    index.ports.findNear(from, to, limit).map((pair) => `${portOf(pair.originId)} ${portOf(pair.destinationId)}`);

  it("begin and end near it, the nearest first", () => {
    const pairs = near("CNSHA", "NLRTM");
    expect(pairs[0]).toBe("CNNGB GBFXT");
    for (const pair of pairs) expect(pair).toMatch(/^CN\w{3} (NL|BE|DE|GB|FR)\w{3}$/);
  });

  it("are neither the pair itself nor more than asked for", () => {
    expect(near("CNSHA", "NLRTM")).not.toContain("CNSHA NLRTM");
    expect(near("CNSHA", "NLRTM", 2)).toHaveLength(2);
    expect(near("XXXXX", "NLRTM")).toEqual([]);
  });
});
