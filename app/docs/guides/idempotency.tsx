import { longestIdempotencyKey, storedResponseHours } from "../../domain/idempotency/policy.ts";
import { counted } from "../../domain/wording.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";

export const Idempotency = ({ baseUrl }: GuideFacts) => (
  <Prose>
    <p>
      When a connection breaks, you cannot know whether the request arrived. GET, PUT and DELETE may simply be repeated.
      For POST requests that create something, send an <code>Idempotency-Key</code>: any text of your own, new for every
      act and the same for its repetitions. A UUID does well.
    </p>
    <CodeBlock
      title="curl"
      code={`curl -X POST '${baseUrl}/subscriptions/create-payment-intent' \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: 7f1c1f5e-6a0e-4a53-9a55-0d3c2f0f8a11' \\
  -d '{"period_id": 118, "subscription_term": "3_months"}'`}
    />
    <Section id="rules" title="Rules">
      <ul>
        <li>
          For {counted(storedResponseHours, "hour")} the same key with the same request gets the answer of the first
          success.
        </li>
        <li>The same key with another request is answered 422: it was meant for something else.</li>
        <li>While the first request is still under way, its repetition is answered 409. Try again shortly.</li>
        <li>After a refusal nothing has happened: correct the request and use the same key again.</li>
        <li>A key is 1 to {longestIdempotencyKey} printable ASCII characters without spaces.</li>
        <li>Keys belong to an account; other accounts' keys do not matter.</li>
        <li>The pages of the endpoints that take the header name it among their parameters.</li>
      </ul>
    </Section>
    <Section id="payments" title="Payments">
      <p>
        <code>POST /subscriptions/payment-success</code> needs no key: an order is fulfilled once, however often it is
        confirmed, and the answer stays the same. A card is never charged twice for one order.
      </p>
    </Section>
  </Prose>
);
