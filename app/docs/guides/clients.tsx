import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";

export const Clients = ({ baseUrl, sample }: GuideFacts) => (
  <Prose>
    <p>
      There are two clients, in <code>clients/typescript</code> and <code>clients/python</code> of the source. Both are
      generated from the OpenAPI document, so their types match this API.
    </p>
    <Section id="typescript" title="TypeScript">
      <CodeBlock
        title="TypeScript: the data of a route, then all routes from a port"
        code={`import { createShippingRouteClient } from "@shipping-route-data/client";

const client = createShippingRouteClient({
  baseUrl: "${baseUrl}",
  apiKey: { key: process.env.API_KEY ?? "", username: process.env.API_USERNAME ?? "" },
  login: { email: process.env.EMAIL ?? "", password: process.env.PASSWORD ?? "" },
});

const data = await client.get("/api-routes-data", { params: { query: { id: ${sample.routeId} } } });

for await (const route of client.items("/route-access/all-routes", "routes", { origin: "${sample.origin}" })) {
  console.log(route.code, route.has_access);
}`}
      />
    </Section>
    <Section id="python" title="Python">
      <p>For Python 3.10 or later, without dependencies.</p>
      <CodeBlock
        title="Python: the same requests"
        code={`import os
from shipping_route_data import ApiKey, Login, ShippingRouteClient

client = ShippingRouteClient(
    "${baseUrl}",
    api_key=ApiKey(os.environ["API_KEY"], os.environ["API_USERNAME"]),
    login=Login(os.environ["EMAIL"], os.environ["PASSWORD"]),
)

data = client.get_route_data_by_key(id=${sample.routeId})

for route in client.iter_routes(origin="${sample.origin}"):
    print(route["code"], route["has_access"])`}
      />
    </Section>
    <Section id="behaviour" title="Features">
      <ul>
        <li>
          <strong>Credentials.</strong> Each request has the credentials that its endpoint accepts. With a login, the
          client refreshes the token before it expires.
        </li>
        <li>
          <strong>Retries.</strong> The client retries 429 after <code>Retry-After</code>. It retries lost connections
          and 503 where that is safe: for reads, and for POST requests with an <code>Idempotency-Key</code>, which it
          adds.
        </li>
        <li>
          <strong>Pagination.</strong> A loop reads the next page when it needs it.
        </li>
        <li>
          <strong>Errors.</strong> <code>ApiError</code> has the status, the validation errors and the request ID.
        </li>
        <li>
          <strong>Webhooks.</strong> One function checks the signature and the age of a delivery.
        </li>
      </ul>
    </Section>
  </Prose>
);
