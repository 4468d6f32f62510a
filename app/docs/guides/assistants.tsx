import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { PlainTable, Prose, Section } from "../prose.tsx";

export const Assistants = ({ baseUrl }: GuideFacts) => (
  <Prose>
    <p>
      <code>{baseUrl}/mcp</code> is a Model Context Protocol (MCP) server. Connect an assistant to it, and the assistant
      can search routes, read the data of your subscriptions and calculate prices. It cannot change or buy anything.
    </p>
    <Section id="connect" title="Connect">
      <p>
        The transport is streamable HTTP. Send an API key and its username as headers. A bearer token works too, but
        expires after a day. Create a key for each assistant, so that you can see its usage and revoke it separately.
        Replace the key and the username below, and keep the file out of version control.
      </p>
      <CodeBlock
        title="Claude Code, in a terminal"
        code={`claude mcp add --transport http shipping-routes ${baseUrl}/mcp \\
  --header "X-API-Key: $API_KEY" \\
  --header "X-Username: $USERNAME"`}
      />
      <CodeBlock
        title="Cursor (.cursor/mcp.json) and Claude Code (.mcp.json)"
        code={`{
  "mcpServers": {
    "shipping-routes": {
      "type": "http",
      "url": "${baseUrl}/mcp",
      "headers": {
        "X-API-Key": "srd_live_…",
        "X-Username": "your-username"
      }
    }
  }
}`}
      />
      <CodeBlock
        title="VS Code (.vscode/mcp.json)"
        code={`{
  "servers": {
    "shipping-routes": {
      "type": "http",
      "url": "${baseUrl}/mcp",
      "headers": {
        "X-API-Key": "\${input:shipping-routes-key}",
        "X-Username": "your-username"
      }
    }
  },
  "inputs": [
    {
      "id": "shipping-routes-key",
      "type": "promptString",
      "description": "API key",
      "password": true
    }
  ]
}`}
      />
      <p>
        Claude Desktop starts MCP servers as programs on your computer. Use the bridge <code>mcp-remote</code>, which
        needs Node.js, to connect it to a remote server:
      </p>
      <CodeBlock
        title="Claude Desktop (claude_desktop_config.json)"
        code={`{
  "mcpServers": {
    "shipping-routes": {
      "command": "npx",
      "args": [
        "-y", "mcp-remote", "${baseUrl}/mcp",
        "--header", "X-API-Key:\${API_KEY}",
        "--header", "X-Username:\${API_USERNAME}"
      ],
      "env": {
        "API_KEY": "srd_live_…",
        "API_USERNAME": "your-username"
      }
    }
  }
}`}
      />
    </Section>
    <Section id="tools" title="Tools">
      <PlainTable
        caption="Tools of the MCP server"
        head={["Tool", "Returns"]}
        rows={[
          [
            <ToolName key="s" name="search_routes" />,
            "Routes by port, trade lane, carrier, cargo type or text, with prices",
          ],
          [<ToolName key="d" name="get_route_data" />, "The data of a subscribed route, with one page of its reports"],
          [<ToolName key="l" name="list_schedules" />, "Departures of subscribed routes"],
          [<ToolName key="c" name="list_changes" />, "Changes in the data of subscribed routes"],
          [<ToolName key="o" name="compare_routes" />, "The carriers between two ports, side by side"],
          [<ToolName key="a" name="check_access" />, "Whether you have access to routes, why, and until when"],
          [<ToolName key="m" name="list_subscriptions" />, "Your subscriptions"],
          [<ToolName key="q" name="quote_prices" />, "The price of subscriptions"],
        ]}
      />
      <p>
        Each tool calls one endpoint of this API and has its parameters, response and rules. Results are returned as
        structured content with a schema, and as text for assistants that do not support structured content.
      </p>
    </Section>
    <Section id="limits" title="Limits and errors">
      <ul>
        <li>
          Every message counts as one request, tool calls included. Above your plan's limit you get 429 with{" "}
          <code>Retry-After</code>. Send one message per POST; batches are not supported.
        </li>
        <li>
          The usage log shows the tool as the endpoint, such as <code>/mcp/get_route_data</code>, with the key, the
          route and the status code of the underlying endpoint.
        </li>
        <li>
          Errors that the assistant can act on are tool errors, such as <code>forbidden (403)</code> if you have no
          subscription. Invalid credentials return HTTP 401.
        </li>
        <li>
          The server is stateless: there is no <code>Mcp-Session-Id</code>, and GET and DELETE return 405. Requests from
          web pages of other sites return 403.
        </li>
      </ul>
    </Section>
  </Prose>
);

const ToolName = ({ name }: { name: string }) => <code className="whitespace-nowrap">{name}</code>;
