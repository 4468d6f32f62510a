/**
 * Deprecation of endpoints: announced in the contract, and from there in headers, the OpenAPI document and the
 * documentation.
 *
 * @spec Versioning
 */

/** The minimum time between the announcement of a deprecation and the removal. */
export const noticeMonths = 12;

export type Deprecation = {
  /** The day of the announcement, `YYYY-MM-DD`, UTC. */
  announced: string;
  /** The first day on which it may be gone. At least `noticeMonths` later. */
  sunset: string;
  /** A sentence: `Use GET /route-access/changes.` */
  instead: string;
};

/** RFC 9745 (`Deprecation`) and RFC 8594 (`Sunset`), on every response of the endpoint. */
export const deprecationHeaders = (deprecated: Deprecation | undefined, appUrl: string): Record<string, string> => {
  if (!deprecated) return {};
  return {
    Deprecation: `@${Date.parse(deprecated.announced) / 1000}`,
    Sunset: new Date(deprecated.sunset).toUTCString(),
    Link: `<${appUrl}/docs/changelog#deprecation>; rel="deprecation"; type="text/html"`,
  };
};
