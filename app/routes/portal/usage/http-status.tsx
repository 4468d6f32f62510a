import { Badge } from "#app/portal/components/badge.tsx";

/** The HTTP statuses that the API answers with, as people read them. */
export const statusNames: Record<string, string> = {
  "200": "200 OK",
  "201": "201 Created",
  "304": "304 Not modified",
  "400": "400 Malformed request",
  "401": "401 Not authenticated",
  "403": "403 No access",
  "404": "404 Not found",
  "405": "405 Method not allowed",
  "409": "409 Conflict",
  "413": "413 Request too large",
  "415": "415 Not JSON",
  "422": "422 Invalid input",
  "429": "429 Rate-limited",
  "500": "500 Server error",
  "503": "503 Unavailable",
};

export const HttpStatus = ({ status, short = false }: { status: number; short?: boolean }) => (
  <Badge tone={status < 400 ? "success" : status === 429 ? "warning" : "danger"}>
    {short ? status : (statusNames[status] ?? status)}
  </Badge>
);

type Meaning = { title: string; advice: string };

const meanings: Record<number, Meaning> = {
  400: {
    title: "We could not read the request",
    advice: "Check that the body is valid JSON and the headers are complete.",
  },
  401: {
    title: "The credentials were not accepted",
    advice: "Check the key, its status and its username, or sign in again.",
  },
  403: {
    title: "The account has no access to this data",
    advice: "Subscribe to the route, or renew the subscription if it has expired.",
  },
  404: { title: "There is no such record or path", advice: "Check the path and the id." },
  409: { title: "The request conflicts with the current state", advice: "Read the record again, then decide." },
  422: { title: "A parameter or field was invalid", advice: "The response names each field in errors." },
  429: {
    title: "A rate limit was exceeded",
    advice: "Wait for the seconds in Retry-After, and spread requests over time.",
  },
  503: { title: "The service was briefly unavailable", advice: "Retry after the seconds in Retry-After." },
};

/** What an error status means and what to do about it. */
export const statusMeaning = (status: number): Meaning =>
  meanings[status] ??
  (status >= 500
    ? { title: "Something failed on our side", advice: "Retry the request. If it fails again, send us the request ID." }
    : { title: "The request was not accepted", advice: "The response has the reason." });
