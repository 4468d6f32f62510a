import { defaultPageSize, largestPageSize } from "../../domain/page-size.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";

export const Pagination = ({ baseUrl }: GuideFacts) => (
  <Prose>
    <Section id="pages" title="Pages">
      <p>
        Lists answer with up to <code>limit</code> records (1 to {largestPageSize}, {defaultPageSize} by default) and{" "}
        <code>next_cursor</code>. Pass it unchanged as <code>cursor</code>, with the same filters, to get the next page;
        null marks the last one. A cursor remembers where you were, not how many you have seen: records that arrive
        meanwhile neither repeat nor hide others.
      </p>
      <CodeBlock
        title="Python: all routes"
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
    <Section id="caching" title="Caching">
      <p>
        Route data, schedules and the lists under <code>/catalogue</code> carry an <code>ETag</code>. Keep it with the
        answer and send it as <code>If-None-Match</code> the next time: if nothing has changed, the answer is 304
        without a body.
      </p>
      <CodeBlock
        title="curl"
        code={`curl -i '${baseUrl}/api-routes-data?id=42' \\
  -H "X-API-Key: $API_KEY" \\
  -H "X-Username: $USERNAME" \\
  -H 'If-None-Match: "VwCL3Mq1WkJ6cSg7rZ2dFQx9bTn"'`}
      />
      <p>
        How often to ask depends on the period's <code>freshness</code>: weekly and daily data does not change more
        often than that.
      </p>
    </Section>
  </Prose>
);
