import { PageHeader } from "#app/portal/components/page-header.tsx";
import { formatDay } from "#app/portal/format.ts";

type Props = { title: string; version: string; html: string };

/** A text of the operator's. */
export const LegalPage = ({ title, version, html }: Props) => (
  <div className="grid gap-6">
    <PageHeader title={title} description={`Version of ${formatDay(version)}`} />
    <article
      className="wrap-anywhere max-w-3xl space-y-4 text-ink leading-7 [&_a]:text-accent [&_a]:underline [&_a]:underline-offset-3 [&_blockquote]:rounded-lg [&_blockquote]:bg-sunken [&_blockquote]:px-4 [&_blockquote]:py-3 [&_h2]:pt-4 [&_h2]:font-semibold [&_h2]:text-xl [&_h3]:pt-2 [&_h3]:font-semibold [&_ol]:list-decimal [&_ol]:space-y-1.5 [&_ol]:pl-6 [&_pre]:overflow-x-auto [&_ul]:list-disc [&_ul]:space-y-1.5 [&_ul]:pl-6"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made from Markdown by markdownHtml, which escapes HTML
      dangerouslySetInnerHTML={{ __html: html }}
    />
  </div>
);
