import { longestIdempotencyKey, storedResponseHours } from "../../domain/idempotency/policy.ts";
import { counted } from "../../domain/wording.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";

export const Idempotency = ({ baseUrl, sample }: GuideFacts) => (
  <Prose>
    <p>
      When a connection breaks, you cannot know whether we received the request. You can always retry GET, PUT and
      DELETE. For POST requests that create something, send an <code>Idempotency-Key</code>: a new value for each
      operation, and the same value for its retries. Use a UUID.
    </p>
    <CodeBlock
      title="curl"
      language="bash"
      code={`curl -X POST '${baseUrl}/subscriptions/create-payment-intent' \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: 7f1c1f5e-6a0e-4a53-9a55-0d3c2f0f8a11' \\
  -d '{"period_id": ${sample.periodId}, "subscription_term": "3_months"}'`}
    />
    <Section id="rules" title="Rules">
      <ul>
        <li>
          For {counted(storedResponseHours, "hour")}, a retry with the same key and the same request returns the first
          successful response.
        </li>
        <li>The same key with a different request returns 422.</li>
        <li>While the first request is still running, a retry returns 409. Try again shortly.</li>
        <li>A rejected request has no effect. Correct it and use the same key again.</li>
        <li>A key is 1 to {longestIdempotencyKey} printable ASCII characters without spaces.</li>
        <li>Keys are separate for each account.</li>
        <li>The reference lists the header among the parameters of each endpoint that accepts it.</li>
      </ul>
    </Section>
    <Section id="payments" title="Payments">
      <p>
        <code>POST /subscriptions/payment-success</code> needs no key. We fulfil an order once, however often you
        confirm it, and return the same response. A card is never charged twice for one order.
      </p>
    </Section>
  </Prose>
);
