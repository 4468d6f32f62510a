import { Link } from "@remix-run/react";
import { bearerHours } from "../../domain/accounts/policy.ts";
import { counted } from "../../domain/wording.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";

export const GettingStarted = ({ baseUrl, testMode }: GuideFacts) => (
  <Prose>
    <p>
      You need a terminal with <code>curl</code>. Every step can also be done{" "}
      <Link to="/routes" className="link">
        in the portal
      </Link>
      , and mixed with it: both see the same account.
    </p>
    <Section id="account" title="1. Open an account">
      <p>
        Registration answers with a bearer token, good for {counted(bearerHours, "hour")}. If you have an account,{" "}
        <code>POST /auth/login</code> with e-mail and password answers the same.
      </p>
      <CodeBlock
        title="Register"
        code={`curl -X POST '${baseUrl}/auth/register' \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "you@company.example", "password": "a-long-pass-phrase", "username": "your-name"}'`}
      />
      <CodeBlock title="Keep the access_token of the answer" code={`ACCESS_TOKEN='…'`} />
    </Section>
    <Section id="route" title="2. Find a route">
      <p>
        The catalogue is open to every account. Each route lists the periods on sale; note the route's <code>id</code>{" "}
        and a <code>period_id</code>.
      </p>
      <CodeBlock
        title="Routes from Shanghai to Rotterdam"
        code={`curl '${baseUrl}/route-access/all-routes?origin=CNSHA&destination=NLRTM' \\
  -H "Authorization: Bearer $ACCESS_TOKEN"`}
      />
    </Section>
    <Section id="subscribe" title="3. Subscribe">
      <p>
        A subscription is bought in four steps: calculate the price, create a payment intent, pay, confirm. The first
        two and the last are calls; paying happens with the card form at checkout, or with Stripe's SDK and the{" "}
        <code>client_secret</code>. The quickest way is the route's page in the portal: choose the period and the term,
        and pay.
      </p>
      <CodeBlock
        title="What it costs"
        code={`curl -X POST '${baseUrl}/subscriptions/calculate-single-route-price' \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"period_id": 118, "subscription_term": "3_months"}'`}
      />
      {testMode ? (
        <p>
          The service runs in test mode: no card is charged, and the card number <code>4242 4242 4242 4242</code> always
          works.
        </p>
      ) : null}
    </Section>
    <Section id="key" title="4. Create an API key">
      <p>
        Servers do not log in; they send a key. The key is in this answer and in no other. <code>user</code> is the name
        that your server will send with it.
      </p>
      <CodeBlock
        title="Create a key"
        code={`curl -X POST '${baseUrl}/api-keys/generate' \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"api_key_name": "First steps", "user": "your-name"}'`}
      />
    </Section>
    <Section id="data" title="5. Read the data">
      <CodeBlock
        title="A route's data, with the key"
        code={`curl '${baseUrl}/api-routes-data?id=42' \\
  -H "X-API-Key: $API_KEY" \\
  -H 'X-Username: your-name'`}
      />
      <p>
        A 403 means that no running subscription opens this route; a 401, that key and username do not belong together
        or the key is inactive. From here:{" "}
        <Link to="/docs/pagination" className="link">
          long lists and caching
        </Link>
        ,{" "}
        <Link to="/docs/rate-limits" className="link">
          rate limits
        </Link>{" "}
        and{" "}
        <Link to="/docs/reference" className="link">
          every endpoint
        </Link>
        .
      </p>
    </Section>
  </Prose>
);
