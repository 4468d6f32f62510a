import { Link } from "@remix-run/react";
import {
  fewestCarriers,
  fewestRoutes,
  freeDelayWeeks,
  highPercentile,
  lowPercentile,
} from "../../domain/benchmarks/policy.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";

/** Ports that several carriers of the demo connect. */
const severalCarriers = { origin: "JPNGO", destination: "BEZEE" };

export const Market = ({ baseUrl }: GuideFacts) => (
  <Prose>
    <Section id="samples" title="Samples">
      <p>
        Every account can read all data of one real route per cargo type, so that you can write your program before you
        subscribe. <code>is_sample=true</code> lists them. They are not on sale.
      </p>
      <CodeBlock
        title="The sample routes"
        language="bash"
        code={`curl '${baseUrl}/route-access/all-routes?is_sample=true' \\
  -H "Authorization: Bearer $ACCESS_TOKEN"`}
      />
    </Section>
    <Section id="compare" title="Compare carriers">
      <p>
        <code>GET /route-access/compare</code> lists all routes between two ports. Those that you can read have rates,
        transit times, the next departure, punctuality and space available. The others come last, with{" "}
        <code>locked: true</code>, public data and the price of a subscription. In the portal, see{" "}
        <Link to="/compare">Compare routes</Link>.
      </p>
      <CodeBlock
        title="All carriers between two ports"
        language="bash"
        code={`curl '${baseUrl}/route-access/compare?origin=${severalCarriers.origin}&destination=${severalCarriers.destination}&equipment_type=45G1' \\
  -H "X-API-Key: $API_KEY" \\
  -H "X-Username: $USERNAME"`}
      />
    </Section>
    <Section id="benchmarks" title="Benchmarks">
      <p>
        <code>GET /route-access/benchmarks</code> returns market rates of a trade lane by week, for each cargo and
        container type: low, median and high of the all-in rates that the lane&rsquo;s routes reported. They are
        averages around the {lowPercentile}th, 50th and {highPercentile}th percentile, rounded to three digits. With a
        running subscription to any route of the lane you get the amounts up to last week, and the changes of 4, 13 and
        52 weeks.
      </p>
      <p>
        Everybody else gets an index of the median, {freeDelayWeeks} weeks late, with its change over four weeks in
        whole percent.
      </p>
      <p>
        Benchmarks do not reveal a carrier&rsquo;s prices: each needs at least {fewestRoutes} routes of {fewestCarriers}{" "}
        carriers, none of which operates more than half of them. A week without enough of them is missing from the list.
      </p>
      <CodeBlock
        title="40′ high cubes from East Asia to North Europe"
        language="bash"
        code={`curl '${baseUrl}/route-access/benchmarks?trade_lane=EAS-NEU&equipment_type=45G1' \\
  -H "X-API-Key: $API_KEY" \\
  -H "X-Username: $USERNAME"`}
      />
    </Section>
  </Prose>
);
