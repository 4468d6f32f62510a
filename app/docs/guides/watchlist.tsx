import { digestHour, maxWatches, recoveryPercent } from "../../domain/alerts/policy.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";

export const Watchlist = ({ baseUrl, sample }: GuideFacts) => (
  <Prose>
    <p>
      Watch up to {maxWatches} routes and port pairs. When a change matches one of your rules, you get an alert: in the
      portal, by e-mail, from <code>GET /alerts</code>, and as the webhook <code>alert.triggered</code>.
    </p>
    <CodeBlock
      title="Watch a route"
      language="bash"
      code={`curl -X POST '${baseUrl}/watchlist' \\
  -H "X-API-Key: $API_KEY" \\
  -H "X-Username: $USERNAME" \\
  -H "Content-Type: application/json" \\
  -d '{ "route_id": ${sample.routeId}, "rules": { "rate_change_percent": 5, "schedule_slip_days": 2, "stale_data": true } }'`}
    />
    <CodeBlock
      title="Watch every route between two ports"
      language="bash"
      code={`curl -X POST '${baseUrl}/watchlist' \\
  -H "X-API-Key: $API_KEY" \\
  -H "X-Username: $USERNAME" \\
  -H "Content-Type: application/json" \\
  -d '{ "origin": "${sample.origin}", "destination": "${sample.destination}", "cargo_type": "container" }'`}
    />
    <Section id="rules" title="Rules">
      <p>You get alerts only for routes that you have an active subscription to.</p>
      <ul>
        <li>
          <code>rate_change_percent</code>: the all-in rate has changed by this percentage since the last alert, or
          since you began to watch. Several small changes add up.
        </li>
        <li>
          <code>all_in_below_cents</code> and <code>all_in_above_cents</code>: the all-in rate falls below or rises
          above a threshold. If it is already past the threshold when you set the rule, you get no alert until it
          crosses it again. After an alert, the rate must first recover by {recoveryPercent.allIn}%.
        </li>
        <li>
          <code>capacity_below</code>: the space available per sailing falls below this threshold. After an alert, it
          must first recover by {recoveryPercent.capacity}%.
        </li>
        <li>
          <code>booking_status</code>: the booking status changes to open, limited, full or closed. At most one alert
          per status and day.
        </li>
        <li>
          <code>schedule_slip_days</code>: the departure or arrival of a published sailing moves by at least this number
          of days, or the sailing is cancelled.
        </li>
        <li>
          <code>stale_data</code>: the next data update is overdue.
        </li>
      </ul>
      <p>
        Each change triggers one alert, even if several watches cover it. Without an equipment type, rate rules use the
        40′ high cube (45G1).
      </p>
    </Section>
    <Section id="reading" title="Read alerts">
      <CodeBlock
        title="Unread alerts"
        language="bash"
        code={`curl '${baseUrl}/alerts?unread=true' \\
  -H "X-API-Key: $API_KEY" \\
  -H "X-Username: $USERNAME"`}
      />
      <p>
        <code>summary</code> describes the change in a sentence, <code>figures</code> in numbers. Both are null while
        you have no active subscription to the route. <code>POST /alerts/mark-read</code> marks an alert and all older
        ones as read.
      </p>
    </Section>
    <Section id="mail" title="E-mail">
      <p>
        We e-mail your alerts once a day, at {String(digestHour).padStart(2, "0")}:00 UTC, unless you choose another
        time on your watchlist. With “At once” you get them within ten minutes, because we evaluate new data every ten
        minutes. Every e-mail has links to unsubscribe or to stop a single watch, without signing in.
      </p>
    </Section>
  </Prose>
);
