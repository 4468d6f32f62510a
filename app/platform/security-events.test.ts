import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { jsonLog } from "./log.server.ts";
import { logSecurityEvent, recordedEvents, refusedEvents, reportSecurityEvents } from "./security-events.ts";

describe("Security events", () => {
  const guide = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8").split(
    "## Security events",
  )[1];

  it.each([...recordedEvents, ...refusedEvents])("%s is explained to operators", (name) => {
    expect(guide).toContain(`\`${name}\``);
  });

  it("are one JSON line of one shape", () => {
    const lines: string[] = [];
    reportSecurityEvents(jsonLog((line) => lines.push(line)));
    logSecurityEvent("access.refused", 17, { request_id: "r", endpoint: "/operations" });
    reportSecurityEvents(null);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        time: expect.any(String),
        level: "warn",
        message: "security",
        name: "access.refused",
        account_id: 17,
        request_id: "r",
        endpoint: "/operations",
      },
    ]);
  });
});
