import { Link } from "@remix-run/react";
import { rowsPerRequest } from "../../domain/exports/policy.ts";
import { largestPageSize } from "../../domain/page-size.ts";
import { storageInWords } from "../../domain/plans/plans.ts";
import { maxCheckedRoutes } from "../../domain/subscriptions/access.ts";
import { capitalised } from "../../domain/wording.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import { formatNumber } from "../../portal/format.ts";
import type { GuideFacts } from "../guides.ts";
import { PlainTable, Prose, Section } from "../prose.tsx";

export const RateLimits = ({ plans, anonymousHourly }: GuideFacts) => (
  <Prose>
    <p>
      Limits apply to the account: all endpoints, keys and tokens share them. Every request counts, failed and rejected
      ones included. Requests without valid credentials are limited to {anonymousHourly} per hour for each client
      address.
    </p>
    <PlainTable
      caption="Limits by plan"
      head={["Plan", "Requests per hour", "Per second (burst)", "API keys", "Usage log kept"]}
      rows={plans.map((plan) => [
        plan.name,
        formatNumber(plan.hourly) + (plan.allowsCustomHourly ? ", or as agreed" : ""),
        formatNumber(plan.burst),
        plan.maxApiKeys ?? "Unlimited",
        capitalised(storageInWords(plan.storageDays)),
      ])}
    />
    <Section id="headers" title="Rate limit headers">
      <p>
        Every response under <code>/api</code> has these headers, errors included. An hour begins at minute 00, UTC.
      </p>
      <PlainTable
        caption="Rate limit headers"
        head={["Header", "Meaning"]}
        rows={[
          [<code key="l">X-RateLimit-Limit</code>, "Requests allowed in this hour."],
          [<code key="r">X-RateLimit-Remaining</code>, "Requests left in this hour."],
          [<code key="s">X-RateLimit-Reset</code>, "Unix time in seconds at which the hour ends."],
          [<code key="a">Retry-After</code>, "Seconds to wait. Only with 429 and 503."],
          [
            <code key="p">RateLimit, RateLimit-Policy</code>,
            "Both limits, per hour and per second, in the format of the IETF draft.",
          ],
        ]}
      />
    </Section>
    <Section id="exceeded" title="Above the limit">
      <p>
        You get 429 with <code>Retry-After</code>: the seconds to the end of the hour, or one second if you exceeded the
        burst limit. Wait that long before you retry, because rejected requests count too. If you often reach the limit,{" "}
        <Link to="/plan">request a larger plan</Link>, or buy one that has a <Link to="/plans">price</Link>: its limits
        apply as soon as you have paid.
      </p>
      <p>
        You can also limit single keys, under <Link to="/api-keys">API keys</Link> or with{" "}
        <code>PUT /api-keys/{"{api_key_id}"}/limit</code>, so that one program cannot use up the requests of all others.
        Requests above a key's own limit return 429 too, but do not count toward your plan's limit.
      </p>
      <p>
        To get a warning in time, turn on e-mail alerts under <Link to="/usage">Usage</Link>: we then e-mail you when
        80% and 100% of an hour's requests are used. Webhooks have the same alerts as <code>quota.reached_80</code> and{" "}
        <code>quota.reached_100</code>.
      </p>
      <CodeBlock
        title="JavaScript"
        language="javascript"
        code={`const read = async (url, options) => {
  for (;;) {
    const response = await fetch(url, options);
    if (response.status !== 429 && response.status !== 503) return response;
    const seconds = Number(response.headers.get("Retry-After") ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
};`}
      />
    </Section>
    <Section id="cost" title="Cost of a request">
      <p>
        Every request counts once, except <Link to="/docs/bulk-downloads#cost">bulk downloads</Link>: a file counts as
        one request for every {formatNumber(rowsPerRequest)} rows. The header <code>X-Request-Cost</code> has the cost.
      </p>
    </Section>
    <Section id="saving" title="Send fewer requests">
      <ul>
        <li>
          Read the reports of all subscribed routes in one{" "}
          <Link to="/docs/bulk-downloads" className="link">
            bulk download
          </Link>
          .
        </li>
        <li>
          Get up to {largestPageSize} records per page with <code>limit={largestPageSize}</code>.
        </li>
        <li>
          Send <code>If-None-Match</code> with the last <code>ETag</code>: see{" "}
          <Link to="/docs/pagination#caching" className="link">
            caching
          </Link>
          . The request counts, but a 304 has no body.
        </li>
        <li>
          Check up to {maxCheckedRoutes} routes at once with <code>POST /route-access/check-access</code>.
        </li>
        <li>Spread scheduled work over the hour instead of starting all of it at minute 00.</li>
      </ul>
    </Section>
  </Prose>
);
