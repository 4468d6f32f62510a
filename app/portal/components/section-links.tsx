type Props = {
  /** In page order. `id` is the id of the section's element. */
  sections: readonly { id: string; label: string }[];
};

/** Sticky links to the sections of a long page. The page needs `scroll-padding-top`, so that they cover no heading. */
export const SectionLinks = ({ sections }: Props) => (
  <nav
    aria-label="On this page"
    className="section-links no-print sticky top-0 z-10 -mx-4 scroll-row border-b border-line px-4 sm:-mx-6 sm:px-6"
  >
    <ul className="flex gap-5">
      {sections.map(({ id, label }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className="flex min-h-11 items-center font-medium text-muted text-sm whitespace-nowrap hover:text-ink hover:underline focus-visible:-outline-offset-2"
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
