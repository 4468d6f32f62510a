import { longestWindowDays } from "../../domain/schedules/policy.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";

export const Schedules = ({ baseUrl }: GuideFacts) => (
  <Prose>
    <p>
      <code>GET /route-access/schedules</code> lists the published departures of the routes that you subscribe to,
      soonest first. Without filters you get all subscribed routes and the next {longestWindowDays} days.
    </p>
    <CodeBlock
      title="Departures from Shanghai in December"
      language="bash"
      code={`curl '${baseUrl}/route-access/schedules?origin=CNSHA&departure_from=2026-12-01&departure_to=2026-12-31' \\
  -H "Authorization: Bearer $ACCESS_TOKEN"`}
    />
    <Section id="names" title="Field names">
      <p>
        Fields in camel case are defined by DCSA Commercial Schedules 1.0 (point to point): <code>placeOfReceipt</code>,{" "}
        <code>cutOffTimes</code>, <code>legs</code>. Fields in snake case are our own, such as <code>route_id</code> and{" "}
        <code>status</code>. <code>routingReference</code> identifies a sailing permanently: it stays the same if the
        departure is delayed or the vessel changes.
      </p>
    </Section>
    <Section id="times" title="Times">
      <p>
        A <code>dateTime</code> is in the local time of its port, with the UTC offset; cut-offs are in the local time of
        the origin port. <code>etd</code> and <code>eta</code> are the same departure and arrival in UTC. In{" "}
        <code>departure_from</code> and <code>departure_to</code>, a date means a day in the local time of the origin
        port. A time with an offset means exactly that time. The range includes both ends and has at most{" "}
        {longestWindowDays} days.
      </p>
    </Section>
    <Section id="cut-offs" title="Cut-offs">
      <p>
        <code>DCO</code> is the last time to send shipping instructions, <code>VCO</code> to send the verified gross
        mass of containers, and <code>FCO</code> to deliver the cargo to the terminal. Cut-offs that the carrier has not
        published are omitted. Only containers have a <code>VCO</code>, and bulk has no <code>FCO</code>.
      </p>
    </Section>
    <Section id="transhipment" title="Transhipment">
      <p>
        Each leg is on one vessel. A sailing with two legs has one transhipment, at the port where the first leg
        arrives. A <code>cancelled</code> (blank) sailing stays in the list without a vessel.
      </p>
    </Section>
  </Prose>
);
