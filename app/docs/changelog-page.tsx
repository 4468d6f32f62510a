import { Link } from "@remix-run/react";
import type { Change } from "../api/changelog.ts";
import { Badge, type BadgeTone } from "../portal/components/badge.tsx";
import { PageHeader } from "../portal/components/page-header.tsx";
import { formatDay, formatWord } from "../portal/format.ts";
import { InlineText } from "./inline-text.tsx";
import { Prose, Section } from "./prose.tsx";
import type { ReferenceGroup } from "./reference.ts";

type Props = { changes: readonly Change[]; version: string; noticeMonths: number; groups: readonly ReferenceGroup[] };

export const ChangelogPage = ({ changes, version, noticeMonths, groups }: Props) => {
  const slugs = new Map(
    groups.flatMap(({ operations }) =>
      operations.map(({ method, path, slug }) => [`${method} ${path}`, slug] as const),
    ),
  );
  return (
    <article className="space-y-6">
      <PageHeader
        title="Changelog"
        description={
          <>
            Changes of the API. The current version is {version}. See also{" "}
            <a href="#deprecation" className="link">
              how endpoints are deprecated
            </a>
            .
          </>
        }
        breadcrumbs={[{ label: "Docs", to: "/docs" }]}
        actions={
          <a href="/docs/changelog.atom" className="link text-sm">
            Atom feed
          </a>
        }
      />
      <div className="max-w-3xl space-y-8">
        {byDay(changes).map(([day, entries]) => (
          <section key={day} aria-labelledby={day} className="space-y-3">
            <h2 id={day} className="scroll-mt-6 font-semibold text-ink text-xl leading-7">
              <time dateTime={day}>{formatDay(day)}</time>
            </h2>
            <ul className="divide-y divide-line rounded-xl border border-line bg-surface shadow-card">
              {entries.map((change) => (
                <li key={change.title} className="space-y-1.5 px-5 py-4">
                  <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                    <Badge tone={tones[change.kind]}>{formatWord(change.kind)}</Badge>
                    <h3 className="font-semibold text-ink">{change.title}</h3>
                  </div>
                  <p className="text-muted leading-6">
                    <InlineText text={change.text} />
                  </p>
                  {change.endpoints ? <Endpoints endpoints={change.endpoints} slugs={slugs} /> : null}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Prose>
        <Section id="versions" title="Versions">
          <p>
            The API has one version at a time, and paths have no version. The version in the OpenAPI document increases
            in its last place with additions, and in the middle with changes that clients may notice.
          </p>
          <p>
            We make additions without notice: endpoints, optional parameters, response fields, values of an enum such as
            a status. Write clients that ignore what they do not know.
          </p>
        </Section>
        <Section id="deprecation" title="Deprecation">
          <ul>
            <li>
              We give at least {noticeMonths} months of notice before removing endpoints, parameters, or fields that are
              always present.
            </li>
            <li>
              The notice is an entry on this page and in its feed. From that day, every response of the endpoint has{" "}
              <code>Deprecation</code> with the day of the notice (RFC 9745) and <code>Sunset</code> with the first day
              on which it may be removed (RFC 8594), and the OpenAPI document marks it as deprecated.
            </li>
            <li>Until then the endpoint works unchanged. The notice says what to use instead.</li>
            <li>Security problems may require a faster change. The notice then says so.</li>
          </ul>
        </Section>
      </Prose>
    </article>
  );
};

const tones = {
  added: "success",
  changed: "accent",
  deprecated: "warning",
  removed: "danger",
} satisfies Record<Change["kind"], BadgeTone>;

/** The changes are in order. */
const byDay = (changes: readonly Change[]): [string, Change[]][] => {
  const days = new Map<string, Change[]>();
  for (const change of changes) days.set(change.date, [...(days.get(change.date) ?? []), change]);
  return [...days];
};

const Endpoints = ({ endpoints, slugs }: { endpoints: readonly string[]; slugs: ReadonlyMap<string, string> }) => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 pt-0.5">
    {endpoints.map((endpoint) => {
      const slug = slugs.get(endpoint);
      const name = <code className="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{endpoint}</code>;
      return (
        <li key={endpoint}>
          {slug === undefined ? (
            name
          ) : (
            <Link to={`/docs/reference/${slug}`} prefetch="intent" className="link">
              {name}
            </Link>
          )}
        </li>
      );
    })}
  </ul>
);
