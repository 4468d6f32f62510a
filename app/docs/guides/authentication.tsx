import { bearerHours } from "../../domain/accounts/policy.ts";
import { overlapLimits, reminderDays } from "../../domain/api-keys/policy.ts";
import { counted } from "../../domain/wording.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { PlainTable, Prose, Section } from "../prose.tsx";

export const Authentication = ({ baseUrl, sample }: GuideFacts) => (
  <Prose>
    <p>
      There are two kinds of credentials. Most endpoints accept one kind and return 401 for the other, even if it is
      valid. Some endpoints about route data accept either; if a request has both, the bearer token counts.
    </p>
    <PlainTable
      caption="The two kinds of credentials"
      head={["About", "Bearer token", "API key"]}
      rows={[
        ["Sent as", <code key="b">Authorization: Bearer …</code>, <code key="k">X-API-Key: … and X-Username: …</code>],
        ["Get it from", "POST /auth/login", "POST /api-keys/generate, or the portal"],
        ["Valid for", counted(bearerHours, "hour"), "Until deactivated or deleted, or its expiry date if you set one"],
        ["Renew with", "POST /auth/refresh", "Not needed"],
        [
          "Gives access to",
          "Keys, catalogue, subscriptions, usage, route data",
          "Route data: GET /api-routes-data, and endpoints that accept either",
        ],
        ["Use it for", "Requests on behalf of a person", "Servers and automation"],
      ]}
    />
    <Section id="bearer" title="Bearer tokens">
      <CodeBlock
        title="Sign in"
        language="bash"
        code={`curl -X POST '${baseUrl}/auth/login' \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "you@company.example", "password": "a-long-pass-phrase"}'`}
      />
      <p>
        The response has <code>access_token</code> and <code>expires_at</code>. Refresh the token shortly before it
        expires: <code>POST /auth/refresh</code> with the current token returns a new one and revokes the old one.{" "}
        <code>POST /auth/logout</code> revokes a token. An unknown e-mail and a wrong password get the same response.
      </p>
    </Section>
    <Section id="keys" title="API keys">
      <p>
        A key begins with <code>srd_live_</code> and ends with a checksum, so that secret scanners recognise it and we
        can reject a mistyped key early. We show a key once and store only its hash. <code>X-Username</code> must equal
        the <code>user</code> of the key exactly, including case.
      </p>
      <CodeBlock
        title="Read with a key"
        language="bash"
        code={`curl '${baseUrl}/api-routes-data?id=${sample.routeId}' \\
  -H "X-API-Key: $API_KEY" \\
  -H "X-Username: $USERNAME"`}
      />
      <ul>
        <li>
          A key has full access to the account. Create one for each application, and name it after the application.
        </li>
        <li>
          A key can be limited to IP addresses and networks. Requests from elsewhere return 403, so that a leaked key is
          useless to others.
        </li>
        <li>
          To replace a key without downtime, rotate it in the portal or with{" "}
          <code>POST /api-keys/{"{api_key_id}"}/rotate</code>. Both keys work until the overlap ends,{" "}
          {counted(overlapLimits.usual, "hour")} by default and at most {counted(overlapLimits.most / 24, "day")}. Then
          we delete the old key. Check that its <code>last_used_at</code> no longer changes before that.
        </li>
        <li>
          A key expires only if you set <code>expires_at</code>. We e-mail you {counted(reminderDays, "day")} before. An
          expired key is inactive: change its expiry or activate it to use it again.
        </li>
        <li>Deactivating and deleting take effect with the next request. Deleting cannot be undone.</li>
        <li>Never put a key into a web page or an app: its users could read it.</li>
      </ul>
    </Section>
    <Section id="refusals" title="401 or 403">
      <p>
        401 means that we cannot authenticate the request: credentials are missing, wrong, expired, inactive or of the
        other kind, or the username does not match. 403 means that we know the account but it has no access: it has no
        active subscription to the route, or is not in good standing. Records of other accounts return 404, as if they
        did not exist.
      </p>
      <p>Use HTTPS. In production, requests over plain HTTP return 403.</p>
    </Section>
  </Prose>
);
