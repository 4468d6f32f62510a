import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { InlineText } from "../inline-text.tsx";
import { PlainTable, Prose, Section } from "../prose.tsx";

export const Errors = ({ errors }: GuideFacts) => (
  <Prose>
    <p>
      All errors have the same body. <code>message</code> is for people: you can show it, but decide by the status code.{" "}
      <code>request_id</code> is also in the <code>X-Request-Id</code> header of every response. Include it when you
      contact support.
    </p>
    <CodeBlock
      title="An error"
      code={`{
  "success": false,
  "message": "The request is not valid; see errors",
  "errors": [
    { "path": "items.0.period_id", "message": "Must be at least 1" }
  ],
  "request_id": "0d5b6a8e-8d5c-4a6e-9f51-0d0b1d6a2f9e"
}`}
    />
    <p>
      Only 422 has <code>errors</code>, with one entry for each invalid value. <code>path</code> names the field in dot
      notation.
    </p>
    <Section id="statuses" title="Status codes">
      <PlainTable
        caption="Status codes of errors"
        head={["Status", "When", "Example message"]}
        rows={[
          ...errors.map(
            ({ status, when, message }) => [status, <InlineText key={status} text={when} />, message] as const,
          ),
          [
            405,
            "The path does not support this method. Allow lists those it does.",
            "PATCH is not allowed here; use GET, HEAD",
          ] as const,
        ].sort(([a], [b]) => a - b)}
      />
    </Section>
    <Section id="doing" title="What to do">
      <ul>
        <li>400, 413, 415, 422: correct the request. Do not retry it unchanged.</li>
        <li>401: sign in again, or check the key and its username.</li>
        <li>403: check whether your subscription to the route is active.</li>
        <li>409: read the current state, then decide what to do.</li>
        <li>410: read the data of your routes again, then follow changes from the cursor in the response.</li>
        <li>429, 503: wait as long as Retry-After says, then retry.</li>
        <li>500: retry later. If it happens again, send us the request ID.</li>
      </ul>
    </Section>
  </Prose>
);
