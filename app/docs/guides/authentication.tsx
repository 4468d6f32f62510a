import { bearerHours } from "../../domain/accounts/policy.ts";
import { counted } from "../../domain/wording.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { PlainTable, Prose, Section } from "../prose.tsx";

export const Authentication = ({ baseUrl }: GuideFacts) => (
  <Prose>
    <p>
      There are two kinds of credentials, and every endpoint takes exactly one of them. The other kind is refused with
      401, even if it is valid.
    </p>
    <PlainTable
      caption="The two kinds of credentials"
      head={["About", "Bearer token", "API key"]}
      rows={[
        ["Sent as", <code key="b">Authorization: Bearer …</code>, <code key="k">X-API-Key: … and X-Username: …</code>],
        ["Obtained by", "POST /auth/login", "POST /api-keys/generate, or the portal"],
        ["Lives", counted(bearerHours, "hour"), "Until it is deactivated or deleted"],
        ["Renewed by", "POST /auth/refresh", "Not needed"],
        ["Opens", "Keys, catalogue, subscriptions, usage, route data", "Route data: GET /api-routes-data"],
        ["Meant for", "Requests of a person", "Servers and automatic work"],
      ]}
    />
    <Section id="bearer" title="Bearer tokens">
      <CodeBlock
        title="Log in"
        code={`curl -X POST '${baseUrl}/auth/login' \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "you@company.example", "password": "a-long-pass-phrase"}'`}
      />
      <p>
        The answer holds <code>access_token</code> and <code>expires_at</code>. Refresh shortly before it expires:{" "}
        <code>POST /auth/refresh</code> with the running token answers with a new one, and the old one stops working at
        once. <code>POST /auth/logout</code> revokes a token. The answer to an unknown e-mail and to a wrong password is
        the same.
      </p>
    </Section>
    <Section id="keys" title="API keys">
      <p>
        A key begins with <code>srd_live_</code> and ends with a checksum, so that secret scanners know it and a
        mistyped one is refused at once. It is shown once: the service keeps only its hash. <code>X-Username</code> must
        equal the <code>user</code> of the key exactly, capitals included.
      </p>
      <CodeBlock
        title="Read with a key"
        code={`curl '${baseUrl}/api-routes-data?id=42' \\
  -H "X-API-Key: $API_KEY" \\
  -H "X-Username: $USERNAME"`}
      />
      <ul>
        <li>A key has the access of the whole account. Give each application one of its own, named after it.</li>
        <li>
          To replace a key without an interruption: create the new one, deploy it, watch the old one's{" "}
          <code>last_used_at</code> stand still, delete the old one.
        </li>
        <li>Deactivating and deleting take effect with the next request. Deleting cannot be undone.</li>
        <li>Never put a key into a browser or an app: whoever uses it can read it there.</li>
      </ul>
    </Section>
    <Section id="refusals" title="401 or 403">
      <p>
        401 says that the service does not know who is asking: credentials are missing, wrong, expired, inactive, of the
        other kind, or the username does not match. 403 says that it knows, and that the account may not: no running
        subscription opens the route, or the account is not in good standing. A record of another account is answered
        404, as if it did not exist.
      </p>
      <p>Use HTTPS. Calls over plain HTTP are refused with 403 where the service is offered publicly.</p>
    </Section>
  </Prose>
);
