import { describe, expect, it } from "vitest";
import { placeOf } from "./place.ts";

describe("A place", () => {
  const firefox = (version: string) =>
    `Mozilla/5.0 (X11; Linux x86_64; rv:${version}) Gecko/20100101 Firefox/${version}`;
  const at = (ipAddress: string | null, userAgent: string | null) => placeOf({ ipAddress, userAgent });

  it("stays the same for another address in the network and a newer version of the browser", () => {
    expect(at("192.0.2.1", firefox("133.0"))).toBe(at("192.0.2.200", firefox("134.0.1")));
  });

  it("differs for another network or another browser", () => {
    const here = at("192.0.2.1", firefox("133.0"));
    expect(at("192.0.3.1", firefox("133.0"))).not.toBe(here);
    expect(at("192.0.2.1", "curl/8.5.0")).not.toBe(here);
    expect(at(null, null)).not.toBe(here);
  });
});
