import { changeRetentionDays, heartbeatSeconds, maxStreams, reconnectSeconds } from "../../domain/changes/policy.ts";
import { counted } from "../../domain/wording.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";

export const Changes = ({ baseUrl }: GuideFacts) => (
  <Prose>
    <p>
      Read the data of your routes once, then follow the changes: poll the list, or stream them over an open connection.
      Both return the same records and accept a bearer token or an API key.
    </p>
    <Section id="polling" title="Polling">
      <CodeBlock
        title="Changes since the last request"
        language="bash"
        code={`CHANGES=$(curl '${baseUrl}/route-access/changes' \\
  -H "X-API-Key: $API_KEY" -H "X-Username: $USERNAME")
jq '.changes[]' <<<"$CHANGES"

# The next time:
curl "${baseUrl}/route-access/changes?since=$(jq -r .next_cursor <<<"$CHANGES")" \\
  -H "X-API-Key: $API_KEY" -H "X-Username: $USERNAME"`}
      />
      <p>
        Every response has a <code>next_cursor</code>, even if nothing has changed. Store it in the same transaction as
        the changes, and pass it as <code>since</code> the next time: you then miss no change and process none twice.
        While <code>has_more</code> is true, send the next request immediately. <code>since</code> also accepts a date
        or a timestamp.
      </p>
    </Section>
    <Section id="streaming" title="Streaming">
      <CodeBlock
        title="Events as they happen"
        language="bash"
        code={`curl --no-buffer --max-time 10 '${baseUrl}/route-access/updates' \\
  -H "X-API-Key: $API_KEY" -H "X-Username: $USERNAME" || [ $? = 28 ]`}
      />
      <p>
        Server-sent events: <code>data</code> is a change as JSON, <code>id</code> its cursor. After an interruption,
        wait {counted(reconnectSeconds, "second")} and reconnect with the last <code>id</code> in{" "}
        <code>Last-Event-ID</code>. A comment every {counted(heartbeatSeconds, "second")} shows that the connection is
        alive; it may have a newer <code>id</code>, which skips changes of routes that are not yours. An account can
        have {counted(maxStreams, "connection")}. Each counts as one request.
      </p>
      <p>
        The service ends the stream when the key or token stops working, the account is suspended or one of your
        subscriptions ends, and when it restarts. The next connection continues, or returns the reason as an error.
      </p>
    </Section>
    <Section id="records" title="Change records">
      <p>
        There is one record per series and write, however many rows an import has: a series is all reports with the same
        route, period, report type, service level and equipment type. <code>before</code> and <code>after</code> are its
        newest observations; they are null if only older ones were added. Rates, surcharges, routes and periods have
        what they were and are, and a schedule has the departures that it concerns in <code>from</code> and{" "}
        <code>to</code>. For everything else, read the route data again.
      </p>
      <p>
        You get the changes of routes that you can read at that moment, and changes of reports for the periods of your
        subscriptions. After subscribing to a route, read its data first.
      </p>
    </Section>
    <Section id="gone" title="Expired cursors">
      <p>
        Changes are kept for {counted(changeRetentionDays, "day")}. After that, a cursor returns 410 with a{" "}
        <code>next_cursor</code>. Store it, read the data of your routes again, and continue from there.
      </p>
    </Section>
  </Prose>
);
