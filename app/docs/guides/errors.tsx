import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { InlineText } from "../inline-text.tsx";
import { PlainTable, Prose, Section } from "../prose.tsx";

export const Errors = ({ errors }: GuideFacts) => (
  <Prose>
    <p>
      Every error has one shape. <code>message</code> is written for people and may be shown; decide by the status, not
      by the message. <code>request_id</code> is also in the <code>X-Request-Id</code> header of every response: name it
      when you ask for support.
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
      <code>errors</code> comes with 422 only, with one entry for every rule that was broken; <code>path</code> names
      the field with dots.
    </p>
    <Section id="statuses" title="Statuses">
      <PlainTable
        caption="Statuses of errors"
        head={["Status", "When", "Message, for example"]}
        rows={[
          ...errors.map(
            ({ status, when, message }) => [status, <InlineText key={status} text={when} />, message] as const,
          ),
          [
            405,
            "The path exists, with other methods. Allow names them.",
            "PATCH is not allowed here; use GET, HEAD",
          ] as const,
        ].sort(([a], [b]) => a - b)}
      />
    </Section>
    <Section id="doing" title="What to do">
      <ul>
        <li>400, 413, 415, 422: correct the request. Repeating it changes nothing.</li>
        <li>401: log in again, or check key and username.</li>
        <li>403: subscribe to the route, or see whether the subscription has ended.</li>
        <li>409: read the state again and decide anew.</li>
        <li>429, 503: wait for Retry-After, then repeat.</li>
        <li>500: repeat once, later; if it stays, tell us the request id.</li>
      </ul>
    </Section>
  </Prose>
);
