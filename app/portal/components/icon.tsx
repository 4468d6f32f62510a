/** One path for each icon, drawn on a 24 × 24 grid with a stroke of 1.75. */
const paths = {
  "alert-triangle": "M12 3.5 2.5 20h19L12 3.5ZM12 10v4.5M12 17.2v.1",
  anchor:
    "M12 8v13M12 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8 11.5h8M4 13.5C4 18 7.5 21 12 21s8-3 8-7.5M4 13.5l-1.5 2M4 13.5l2 1.5M20 13.5l1.5 2M20 13.5 18 15",
  "arrow-left": "M20 12H4M10 6l-6 6 6 6",
  "arrow-right": "M4 12h16M14 6l6 6-6 6",
  book: "M4 5.5A2.5 2.5 0 0 1 6.5 3H20v18H6.5A2.5 2.5 0 0 1 4 18.5v-13ZM4 18.5A2.5 2.5 0 0 1 6.5 16H20",
  calendar: "M4 6.5h16V20H4V6.5ZM4 10.5h16M8 3.5v5M16 3.5v5",
  card: "M3 6h18v12.5H3V6ZM3 10h18M6.5 15h4",
  chart: "M4 4v16h16M8.5 16v-4M12.5 16V8M16.5 16v-6",
  check: "m5 12.5 4.5 4.5L19 7.5",
  "check-circle": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8 12.3l2.7 2.7L16 9.5",
  "chevron-down": "m6 9.5 6 6 6-6",
  "chevron-left": "m14.5 6-6 6 6 6",
  "chevron-right": "m9.5 6 6 6-6 6",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5.2l3.3 2",
  container: "M3 7h18v11H3V7ZM7 10v5M10.3 10v5M13.7 10v5M17 10v5",
  copy: "M9 9h11v11H9V9ZM5 15H4V4h11v1",
  download: "M12 4v11M7 10.5l5 5 5-5M4.5 20h15",
  external: "M13 4h7v7M20 4l-9 9M10 5H5v14h14v-5",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  "eye-off":
    "M4 4l16 16M9.9 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.7 3.4M6.3 7.4A16 16 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 3.8-.8M10 10a3 3 0 0 0 4.1 4.2",
  filter: "M4 6h16M7 12h10M10 18h4",
  globe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5.5M12 7.6v.1",
  key: "M8 19.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM11.2 11.8 20 3M16.5 6.5l3 3M13.5 9.5l1.5 1.5",
  layers: "m12 3.5 9 4.7-9 4.7-9-4.7 9-4.7ZM3.5 12.3 12 16.8l8.5-4.5M3.5 16.3 12 20.8l8.5-4.5",
  lock: "M5 11h14v9.5H5V11ZM8 11V7.5a4 4 0 0 1 8 0V11",
  logout: "M10 4H4.5v16H10M15.5 8l4 4-4 4M19 12H9.5",
  mail: "M3 5.5h18v13H3v-13ZM3.5 6.5 12 13l8.5-6.5",
  menu: "M4 7h16M4 12h16M4 17h16",
  minus: "M5 12h14",
  pin: "M12 21s7-6.2 7-11.5a7 7 0 1 0-14 0C5 14.8 12 21 12 21ZM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  plus: "M12 5v14M5 12h14",
  refresh: "M20 5v5h-5M4 19v-5h5M5.2 9.5a7.5 7.5 0 0 1 13.3-2L20 10M18.8 14.5a7.5 7.5 0 0 1-13.3 2L4 14",
  route:
    "M6 20.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM18 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8.5 18H15a3 3 0 0 0 0-6H9a3 3 0 0 1 0-6h6.5",
  search: "M10.5 17.5a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM15.5 15.5l5 5",
  ship: "M3.5 14.5 12 11.5l8.5 3-2 5.5h-13l-2-5.5ZM6.5 13V7.5h11V13M12 7.5V4M12 11.5v4",
  trash: "M4 6.5h16M9.5 6V3.5h5V6M6.5 6.5 7.5 20.5h9l1-14M10 10.5v6M14 10.5v6",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.5-4 3.5-6 7.5-6s7 2 7.5 6",
  x: "m6 6 12 12M18 6 6 18",
  "x-circle": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9 9l6 6M15 9l-6 6",
} as const;

export type IconName = keyof typeof paths;

type Props = {
  name: IconName;
  /** Size and colour. Defaults to 20 px and the text colour. */
  className?: string;
};

/** Decorative: hidden from screen readers, so the text beside it must say the same. */
export const Icon = ({ name, className = "size-5" }: Props) => (
  <svg
    viewBox="0 0 24 24"
    className={`shrink-0 ${className}`}
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);
