import { historyDays } from "../../domain/catalogue/policy.ts";
import { defaultPageSize, largestPageSize } from "../../domain/page-size.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";

export const Pagination = ({ baseUrl, sample }: GuideFacts) => (
  <Prose>
    <Section id="pages" title="Pages">
      <p>
        A list returns up to <code>limit</code> records (1 to {largestPageSize}, {defaultPageSize} by default) and a{" "}
        <code>next_cursor</code>. To get the next page, send the same request with <code>next_cursor</code> as{" "}
        <code>cursor</code>. On the last page it is null. A cursor marks a position, not an offset: if records are added
        meanwhile, no record is repeated or skipped.
      </p>
      <CodeBlock
        title="Python: all routes"
        language="python"
        code={`import requests

session = requests.Session()
session.headers["Authorization"] = f"Bearer {access_token}"
routes, cursor = [], None
while True:
    page = session.get(
        "${baseUrl}/route-access/all-routes",
        params={"limit": ${largestPageSize}, "cursor": cursor},
        timeout=30,
    )
    page.raise_for_status()
    routes += page.json()["routes"]
    cursor = page.json()["next_cursor"]
    if cursor is None:
        break`}
      />
    </Section>
    <Section id="parameters" title="Unknown parameters">
      <p>
        An endpoint ignores query parameters that it does not know, and lists them in <code>X-Ignored-Parameters</code>.
        Send <code>Prefer: handling=strict</code> to get 422 instead, so that a misspelt filter does not go unnoticed.
      </p>
      <CodeBlock
        title="curl: reject unknown parameters"
        language="bash"
        code={`curl '${baseUrl}/route-access/all-routes?origin=${sample.origin}' \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Prefer: handling=strict'`}
      />
    </Section>
    <Section id="caching" title="Caching">
      <p>
        Responses of route data, schedules and the lists under <code>/catalogue</code> have an <code>ETag</code>. Store
        it with the response and send it as <code>If-None-Match</code> the next time. If nothing has changed, you get
        304 without a body.
      </p>
      <CodeBlock
        title="curl"
        language="bash"
        code={`curl -i '${baseUrl}/api-routes-data?id=${sample.routeId}' \\
  -H "X-API-Key: $API_KEY" \\
  -H "X-Username: $USERNAME" \\
  -H 'If-None-Match: "VwCL3Mq1WkJ6cSg7rZ2dFQx9bTn"'`}
      />
      <p>
        Poll as often as the period's <code>freshness</code> requires: weekly data changes at most once a week, daily
        data once a day.
      </p>
    </Section>
    <Section id="as-of" title="As of an earlier time">
      <p>
        Reports are corrected, rates change and sailings are delayed. To get route data as we knew it at an earlier
        time, up to {historyDays} days ago, add <code>as_of</code> to the request. You get the complete record with the
        reports and figures of that time, and the response repeats it in <code>as_of</code>. A date means 00:00 UTC on
        that day. Today's access rules apply.
      </p>
      <CodeBlock
        title="Python: rates as of a week ago"
        language="python"
        code={`from datetime import datetime, timedelta, timezone

import requests

week_ago = datetime.now(timezone.utc) - timedelta(days=7)
response = requests.get(
    "${baseUrl}/route-access/routes-data",
    params={"id": ${sample.routeId}, "report_type": "rate", "as_of": week_ago.isoformat(timespec="seconds")},
    headers={"Authorization": f"Bearer {access_token}"},
    timeout=30,
)
response.raise_for_status()
for report in response.json()["reports"]:
    print(report["observed_at"], report["equipment_type"], report["all_in_cents"])`}
      />
      <p>
        Send the same <code>as_of</code> with every <code>cursor</code>. No report is repeated or skipped, because what
        we knew at that time no longer changes.
      </p>
    </Section>
  </Prose>
);
