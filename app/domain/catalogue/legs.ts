/** Combines the paths of many routes into legs, each with its traffic. */
export type LonLat = readonly [lon: number, lat: number];

/** A leg between two points, regardless of direction. */
export type Leg = { from: LonLat; to: LonLat; routes: number };

export const legsOf = (ways: readonly (readonly LonLat[])[]): Leg[] => {
  const legs = new Map<string, Leg>();
  for (const way of ways) {
    for (const [i, to] of way.entries()) {
      const from = way[i - 1];
      if (!from || (from[0] === to[0] && from[1] === to[1])) continue;
      const ends = [`${from}`, `${to}`].sort().join(" ");
      const leg = legs.get(ends);
      if (leg) leg.routes += 1;
      else legs.set(ends, { from, to, routes: 1 });
    }
  }
  return [...legs.values()];
};

/** Removes, one after the other, legs that end where no other leg begins and no port is. Each removal may expose the next. */
export const withoutLooseEnds = (legs: readonly Leg[], ports: readonly LonLat[]): readonly Leg[] => {
  const isPort = new Set(ports.map(String));
  const at = legsByEnd(legs);
  const left = new Set(legs);
  const legsLeftAt = (end: string) => (at.get(end) ?? []).filter((leg) => left.has(leg));
  const loose = [...at.keys()].filter((end) => !isPort.has(end));
  for (let end = loose.pop(); end !== undefined; end = loose.pop()) {
    const [leg, another] = legsLeftAt(end);
    if (!leg || another) continue;
    left.delete(leg);
    const other = `${leg.from}` === end ? `${leg.to}` : `${leg.from}`;
    if (!isPort.has(other)) loose.push(other);
  }
  return [...left];
};

/** Joins connected legs into lines, which are fewer and shorter to send. */
export const chained = (legs: readonly Leg[]): LonLat[][] => {
  const at = legsByEnd(legs);
  const left = new Set(legs);
  const onwardFrom = (point: LonLat): LonLat | null => {
    const next = at.get(`${point}`)?.find((leg) => left.has(leg));
    if (!next) return null;
    left.delete(next);
    return `${next.from}` === `${point}` ? next.to : next.from;
  };
  return legs.flatMap((leg) => {
    if (!left.delete(leg)) return [];
    const line = [leg.from, leg.to];
    for (let next = onwardFrom(leg.to); next; next = onwardFrom(next)) line.push(next);
    return [line];
  });
};

const legsByEnd = (legs: readonly Leg[]): Map<string, Leg[]> => {
  const at = new Map<string, Leg[]>();
  for (const leg of legs) {
    for (const end of [`${leg.from}`, `${leg.to}`]) {
      const known = at.get(end);
      if (known) known.push(leg);
      else at.set(end, [leg]);
    }
  }
  return at;
};
