import { longestWindowDays } from "../../domain/schedules/policy.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";

export const Schedules = ({ baseUrl }: GuideFacts) => (
  <Prose>
    <p>
      <code>GET /route-access/schedules</code> lists the departures that carriers have published for the routes you
      subscribe to, soonest first. Without filters you get every subscribed route for the next {longestWindowDays} days.
    </p>
    <CodeBlock
      title="Departures from Shanghai in December"
      code={`curl '${baseUrl}/route-access/schedules?origin=CNSHA&departure_from=2026-12-01&departure_to=2026-12-31' \\
  -H "Authorization: Bearer $ACCESS_TOKEN"`}
    />
    <Section id="names" title="Names">
      <p>
        What is written in camel case has the name and the meaning that DCSA gives it in Commercial Schedules 1.0, point
        to point: <code>placeOfReceipt</code>, <code>cutOffTimes</code>, <code>legs</code>. What is written in snake
        case is ours, such as <code>route_id</code> and <code>status</code>. <code>routingReference</code> names a
        sailing for good: it stays when a departure is delayed or the vessel changes.
      </p>
    </Section>
    <Section id="times" title="Times">
      <p>
        A <code>dateTime</code> is by the clock of its port, with the offset; cut-offs are by the clock of the origin
        port. <code>etd</code> and <code>eta</code> are the same instants in UTC. A date in <code>departure_from</code>{" "}
        or <code>departure_to</code> is a day in the origin port, so that it finds the departures that show this day; a
        time with an offset is an instant. Both ends are included, and the range may span {longestWindowDays} days.
      </p>
    </Section>
    <Section id="cut-offs" title="Cut-offs">
      <p>
        <code>DCO</code> is the last moment for shipping instructions, <code>VCO</code> for the verified gross mass of
        containers, and <code>FCO</code> for delivering the cargo to the terminal. A cut-off that the carrier does not
        state is left out: bulk has no delivery cut-off, and only containers are weighed.
      </p>
    </Section>
    <Section id="transhipment" title="Transhipment">
      <p>
        Each leg is one vessel. A sailing with two legs has one transhipment, at the port where the first leg arrives. A{" "}
        <code>cancelled</code> sailing stays in the list without a vessel.
      </p>
    </Section>
  </Prose>
);
