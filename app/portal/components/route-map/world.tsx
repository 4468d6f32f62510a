import type { MapName } from "./projection.ts";
import atlanticUrl from "./world-atlantic.svg?url";
import pacificUrl from "./world-pacific.svg?url";

const urls = { atlantic: atlanticUrl, pacific: pacificUrl } satisfies Record<MapName, string>;

/** Globe, graticule and land of one of the two world maps, from an immutable file that the page's CSS colours. */
export const World = ({ map }: { map: MapName }) => (
  <g>
    <use href={`${urls[map]}#sphere`} className="sea" />
    <use href={`${urls[map]}#graticule`} className="graticule" />
    <use href={`${urls[map]}#land`} className="land" />
  </g>
);
