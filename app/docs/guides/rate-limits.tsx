import { Link } from "@remix-run/react";
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
      Requests count per account: all endpoints, all keys and all tokens together. Every request counts, failed and
      refused ones too. Requests without valid credentials count per client address, {anonymousHourly} an hour.
    </p>
    <PlainTable
      caption="Limits by plan"
      head={["Plan", "Requests an hour", "A second", "API keys", "Request log kept"]}
      rows={plans.map((plan) => [
        plan.name,
        formatNumber(plan.hourly) + (plan.allowsCustomHourly ? ", or as agreed" : ""),
        formatNumber(plan.burst),
        plan.maxApiKeys ?? "Unlimited",
        capitalised(storageInWords(plan.storageDays)),
      ])}
    />
    <Section id="headers" title="What is left">
      <p>Every response below /api says so, errors included. The hour is the clock's, in UTC.</p>
      <PlainTable
        caption="Rate limit headers"
        head={["Header", "Meaning"]}
        rows={[
          [<code key="l">X-RateLimit-Limit</code>, "Requests allowed in this hour."],
          [<code key="r">X-RateLimit-Remaining</code>, "Requests left in this hour."],
          [<code key="s">X-RateLimit-Reset</code>, "Unix time in seconds at which the hour ends."],
          [<code key="a">Retry-After</code>, "On 429 and 503 only: seconds to wait."],
          [
            <code key="p">RateLimit, RateLimit-Policy</code>,
            "Both windows, the hour and the second, as the IETF's structured fields.",
          ],
        ]}
      />
    </Section>
    <Section id="exceeded" title="When it is used up">
      <p>
        The answer is 429 with <code>Retry-After</code>: the rest of the hour, or one second where only the burst was
        too much. Wait that long; asking earlier counts as well. Whoever reaches the limit often can{" "}
        <Link to="/plan">ask for a larger plan</Link>.
      </p>
      <CodeBlock
        title="JavaScript"
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
    <Section id="saving" title="Asking less">
      <ul>
        <li>
          Ask for up to {largestPageSize} records a page with <code>limit={largestPageSize}</code>.
        </li>
        <li>
          Send <code>If-None-Match</code> with the ETag you have: see{" "}
          <Link to="/docs/pagination#caching" className="link">
            caching
          </Link>
          . The request counts, the transfer is saved.
        </li>
        <li>
          Ask for up to {maxCheckedRoutes} routes at once with <code>POST /route-access/check-access</code>.
        </li>
        <li>Spread scheduled work over the hour rather than starting it all at its first second.</li>
      </ul>
    </Section>
  </Prose>
);
