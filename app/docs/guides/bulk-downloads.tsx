import { Link } from "@remix-run/react";
import { maxExportedRoutes, mostRequests, mostWorkbookRows, rowsPerRequest } from "../../domain/exports/policy.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import { formatNumber } from "../../portal/format.ts";
import type { GuideFacts } from "../guides.ts";
import { PlainTable, Prose, Section } from "../prose.tsx";

export const BulkDownloads = ({ baseUrl, sample }: GuideFacts) => (
  <Prose>
    <p>
      <code>GET /route-access/reports</code> returns the reports of all subscribed routes, with a bearer token or an API
      key. You get the same reports as with route data: those of the subscribed period, and the route's history.
    </p>
    <Section id="formats" title="Formats">
      <p>
        Choose a format with the parameter <code>format</code> or the header <code>Accept</code>. JSON is paginated. The
        other formats are one streamed file.
      </p>
      <PlainTable
        caption="Formats"
        head={["format", "Accept", "Use it for"]}
        rows={[
          [
            <code key="f" className="whitespace-nowrap">
              json
            </code>,
            <code key="a" className="whitespace-nowrap">
              application/json
            </code>,
            "Pages, with limit and cursor.",
          ],
          [
            <code key="f" className="whitespace-nowrap">
              jsonl
            </code>,
            <code key="a" className="whitespace-nowrap">
              application/x-ndjson
            </code>,
            "Programs: JSON Lines, one report per line.",
          ],
          [
            <code key="f" className="whitespace-nowrap">
              csv
            </code>,
            <code key="a" className="whitespace-nowrap">
              text/csv
            </code>,
            "Spreadsheets and databases. Times are in UTC, amounts in minor units.",
          ],
          [
            <code key="f" className="whitespace-nowrap">
              parquet
            </code>,
            <code key="a" className="whitespace-nowrap">
              application/vnd.apache.parquet
            </code>,
            "pandas, DuckDB and Spark. Typed columns: timestamps, 64-bit integers, doubles.",
          ],
        ]}
      />
      <CodeBlock
        title="curl: the weekly rates of 2026"
        language="bash"
        code={`curl '${baseUrl}/route-access/reports?format=csv&report_type=rate&from=2026-01-01' \\
  -H "X-API-Key: $API_KEY" \\
  -H "X-Username: $USERNAME"`}
      />
      <p>
        Filter as for route data, with <code>from</code>, <code>to</code>, <code>report_type</code>,{" "}
        <code>service_level</code> and <code>equipment_type</code>. You can also filter by <code>trade_lane</code>, and
        by <code>route_id</code> with up to {maxExportedRoutes} IDs, separated by commas. If you have no active
        subscription to one of these routes, you get 403.
      </p>
      <p>
        In CSV and Parquet, <code>surcharges</code> lists each reported surcharge, in minor units of its own currency:{" "}
        <code>BAF 62000 USD|DTHC 24500 EUR at 1.0931 (ECB 2026-11-13)</code>. <code>surcharges_cents</code> and{" "}
        <code>all_in_cents</code> are totals in <code>currency</code>. In CSV, text that a spreadsheet would run as a
        formula begins with an apostrophe.
      </p>
    </Section>
    <Section id="cost" title="Cost in requests">
      <p>
        A JSON page costs one request. A file costs one request for every {formatNumber(rowsPerRequest)} rows or part of
        them, up to {formatNumber(mostRequests)} requests. The response has the cost in <code>X-Request-Cost</code> and
        the number of rows in <code>X-Total-Rows</code>. The cost counts toward your hourly limit and appears in the
        usage log. A download is never rejected because its cost exceeds the burst limit, but other requests in that
        second may be.
      </p>
      <p>
        If the requests left in this hour do not cover the cost, you get 429 before the download begins, and it counts
        as one request. To find out the cost first, send <code>HEAD</code>, which costs one request:
      </p>
      <CodeBlock
        title="curl: the cost of a download"
        language="bash"
        code={`curl -I '${baseUrl}/route-access/reports?format=parquet' \\
  -H "X-API-Key: $API_KEY" \\
  -H "X-Username: $USERNAME"`}
      />
    </Section>
    <Section id="resuming" title="Resume a download">
      <p>
        Rows are sorted by route, observation time and ID. A file contains the reports that existed when the download
        began, each once. In JSON Lines and CSV every row has a <code>cursor</code>. If the connection breaks, drop the
        incomplete last row and send the request again, with the same filters and the <code>cursor</code> of the last
        complete row. The response continues with the next row and contains no newer reports. Only the remaining rows
        count.
      </p>
      <p>
        A file is complete when the response ends without an error; HTTP clients report a broken connection. You cannot
        resume a Parquet file, because its index comes last. Split a large download with <code>from</code> and{" "}
        <code>to</code> instead.
      </p>
      <CodeBlock
        title="Python: a download that resumes"
        language="python"
        code={`import json
import time

import requests

url = "${baseUrl}/route-access/reports"
headers = {"X-API-Key": api_key, "X-Username": username}
params = {"format": "jsonl", "route_id": ${sample.routeId}}
broken = (
    requests.ConnectionError,
    requests.exceptions.ChunkedEncodingError,
    json.JSONDecodeError,
)
reports = []
for attempt in range(8):
    try:
        response = requests.get(
            url, params=params, headers=headers, stream=True, timeout=60
        )
        response.raise_for_status()
        for line in response.iter_lines():
            reports.append(json.loads(line))
            params["cursor"] = reports[-1]["cursor"]
        break
    except broken:
        time.sleep(2**attempt)
else:
    raise SystemExit("The download did not finish")`}
      />
      <p>If a report is corrected during a download, it appears once, with either its old or its new values.</p>
    </Section>
    <Section id="portal" title="In the portal">
      <p>
        <Link to="/download" className="link">
          Download data
        </Link>{" "}
        offers the same files, Excel workbooks of up to {formatNumber(mostWorkbookRows)} rows, and today's rates and
        surcharges. Downloads in the portal do not count as requests. The public catalogue is a CSV file that needs no
        account: <code>GET /catalogue/export</code>, or{" "}
        <a href="/routes.csv" className="link">
          from the portal
        </a>
        .
      </p>
    </Section>
  </Prose>
);
