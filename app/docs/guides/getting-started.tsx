import { Link } from "@remix-run/react";
import { bearerHours } from "../../domain/accounts/policy.ts";
import { counted } from "../../domain/wording.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";

export const GettingStarted = ({ baseUrl, testMode, sample }: GuideFacts) => (
  <Prose>
    <p>
      You need a terminal with <code>curl</code> and{" "}
      <a href="https://jqlang.org" className="link">
        jq
      </a>
      . Run the commands in order, in one shell. You can also do every step{" "}
      <Link to="/routes" className="link">
        in the portal
      </Link>
      , with the same account.
    </p>
    <Section id="account" title="1. Create an account">
      <p>
        Registration returns a bearer token, valid for {counted(bearerHours, "hour")}. If you have an account already,{" "}
        <code>POST /auth/login</code> with your e-mail and password returns the same.
      </p>
      <CodeBlock
        title="Register"
        language="bash"
        code={`ACCESS_TOKEN=$(curl -sS -X POST '${baseUrl}/auth/register' \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "you@company.example", "password": "a-long-pass-phrase", "username": "your-name"}' |
  jq -r .access_token)`}
      />
    </Section>
    <Section id="route" title="2. Find a route">
      <p>Every account can read the catalogue. Each route lists the periods on sale.</p>
      <CodeBlock
        title="A route between two ports, and its first period on sale"
        language="bash"
        code={`ROUTE=$(curl -sS '${baseUrl}/route-access/all-routes?origin=${sample.origin}&destination=${sample.destination}&limit=1' \\
  -H "Authorization: Bearer $ACCESS_TOKEN" |
  jq '.routes[0]')
ROUTE_ID=$(jq .id <<<"$ROUTE")
PERIOD_ID=$(jq '.periods[0].id' <<<"$ROUTE")`}
      />
    </Section>
    <Section id="subscribe" title="3. Subscribe">
      <p>Buy a subscription in four steps: calculate the price, create a payment intent, pay, confirm.</p>
      <CodeBlock
        title="Calculate the price"
        language="bash"
        code={`curl -sS -X POST '${baseUrl}/subscriptions/calculate-single-route-price' \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d "{\\"period_id\\": $PERIOD_ID, \\"subscription_term\\": \\"3_months\\"}"`}
      />
      <CodeBlock
        title="Lock the price"
        language="bash"
        code={`ORDER=$(curl -sS -X POST '${baseUrl}/subscriptions/create-payment-intent' \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d "{\\"period_id\\": $PERIOD_ID, \\"subscription_term\\": \\"3_months\\"}")
PAYMENT_INTENT_ID=$(jq -r .payment_intent_id <<<"$ORDER")`}
      />
      {testMode ? (
        <>
          <p>
            The service runs in test mode: no card is charged. The card number <code>4242 4242 4242 4242</code> always
            works.
          </p>
          <CodeBlock
            title="Pay with a test card"
            language="bash"
            code={`curl -sS "$(jq -r .confirm_url <<<"$ORDER")" \\
  -u "$(jq -r .publishable_key <<<"$ORDER"):" \\
  -d client_secret="$(jq -r .client_secret <<<"$ORDER")" \\
  -d 'payment_method_data[type]=card' \\
  -d 'payment_method_data[card][number]=4242424242424242' \\
  -d 'payment_method_data[card][exp_month]=12' \\
  -d 'payment_method_data[card][exp_year]=2039' \\
  -d 'payment_method_data[card][cvc]=123'`}
          />
        </>
      ) : (
        <p>
          Enter the card in a browser, so that its number never passes through your server: give Stripe.js the{" "}
          <code>publishable_key</code> and the <code>client_secret</code> of the order. Or pay on the route's page in
          the portal.
        </p>
      )}
      <CodeBlock
        title="Confirm the payment"
        language="bash"
        code={`curl -sS -X POST '${baseUrl}/subscriptions/payment-success' \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d "{\\"payment_intent_id\\": \\"$PAYMENT_INTENT_ID\\"}"`}
      />
    </Section>
    <Section id="key" title="4. Create an API key">
      <p>
        Servers send an API key instead of signing in. Only this response contains it. <code>user</code> is the name
        that your server sends with the key.
      </p>
      <CodeBlock
        title="Create a key"
        language="bash"
        code={`API_KEY=$(curl -sS -X POST '${baseUrl}/api-keys/generate' \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"api_key_name": "First steps", "user": "your-name"}' |
  jq -r .api_key)`}
      />
    </Section>
    <Section id="data" title="5. Read the data">
      <CodeBlock
        title="A route's data, with the key"
        language="bash"
        code={`curl -sS "${baseUrl}/api-routes-data?id=$ROUTE_ID" \\
  -H "X-API-Key: $API_KEY" \\
  -H 'X-Username: your-name'`}
      />
      <p>
        403 means that you have no active subscription to this route. 401 means that key and username do not match, or
        that the key is inactive. Read on:{" "}
        <Link to="/docs/pagination" className="link">
          pagination and caching
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
