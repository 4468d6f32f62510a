import { secretPattern } from "../../domain/api-keys/secret-pattern.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";

export const FoundKeys = ({ baseUrl }: GuideFacts) => (
  <Prose>
    <p>
      If you have found an API key of this service in a repository, a log or a web page, report it. We revoke it at once
      and tell its account by e-mail. You need no account, and we do not tell its owner who you are.
    </p>
    <Section id="report" title="Report a key">
      <CodeBlock
        title="Report a found key"
        language="bash"
        code={`curl -X POST '${baseUrl}/leaked-keys' \\
  -H 'Content-Type: application/json' \\
  -d '{"api_key": "srd_live_…", "url": "https://git.example.com/rates/blob/main/.env"}'`}
      />
      <p>
        <code>url</code> is optional and says where the key was found. The response is the same for every key, known or
        not. Repeating a report changes nothing. Do not test the key yourself.
      </p>
    </Section>
    <Section id="pattern" title="The pattern of keys">
      <p>Secret scanners find keys with this regular expression:</p>
      <CodeBlock title="Regular expression" code={secretPattern} />
      <p>
        The last six characters are the CRC-32 of everything before them, in base 62 with the digits 0–9, A–Z and a–z. A
        scanner can check it, so that it reports no placeholders.
      </p>
    </Section>
    <Section id="own" title="If it is your key">
      <p>
        Create a new key under <strong>API keys</strong> and use it in your programs, then delete the old one. The
        account's activity shows which keys we revoked and where they were found. Limit keys to the addresses of your
        servers: elsewhere they are useless then.
      </p>
    </Section>
  </Prose>
);
