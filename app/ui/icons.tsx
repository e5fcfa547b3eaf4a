/** One set, drawn on a 20 px grid with a 1.5 px line. Add a line here; take one away when nothing uses it. */
const paths = {
  laptop: "M4.5 4.5h11v8.5h-11zM2 15.5h16",
  phone: "M6 2.5h8v15H6zM9 15h2",
  server: "M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.01M6 13.5h.01",
  check: "m4 10.5 4 4 8-9",
  cross: "m5 5 10 10M15 5 5 15",
  clock: "M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15ZM10 6v4.2l2.8 1.8",
  alert: "M10 3 2.5 16.5h15ZM10 8v4M10 14.3v.01",
  info: "M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15ZM10 9.3v4.2M10 6.5v.01",
  "arrow-right": "M3.5 10h13M11.5 5l5 5-5 5",
  "chevron-down": "m5.5 8 4.5 4.5L14.5 8",
  copy: "M7 7h9.5v9.5H7zM4.5 13h-1V3.5H13v1",
  share: "M10 12.5V2.5M6.5 6 10 2.5 13.5 6M4 10v7h12v-7",
  card: "M2.5 4.5h15v11h-15zM2.5 8.2h15M5.5 12.5h3",
  receipt: "M5 2.5h10v15l-2.5-1.5-2.5 1.5-2.5-1.5L5 17.5zM8 6.5h4M8 10h4",
  people:
    "M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 16.5c.4-3 2.5-4.5 5.5-4.5s5.1 1.5 5.5 4.5M13 3.8a3 3 0 0 1 0 5.4M15 12.4c1.7.7 2.7 2.1 3 4.1",
  key: "M13 10.5a3.7 3.7 0 1 0-3.5-2.5L3 14.5V17h3v-2h2v-2l2.5-2.5M13.7 6.3v.01",
  shield: "M10 2.5 16 4.7v5c0 3.7-2.4 6.3-6 7.8-3.6-1.5-6-4.1-6-7.8v-5ZM7.3 9.8l2 2 3.4-3.8",
  sliders: "M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4",
  home: "M3.5 17V9.5a6.5 6.5 0 0 1 13 0V17zM8 17v-5h4v5",
  "sign-out": "M8 3H3.5v14H8M8 10h9M13.5 6.5 17 10l-3.5 3.5",
  download: "M10 3v10M6 9.5l4 4 4-4M3.5 17h13",
} as const;

export type IconName = keyof typeof paths;

/** Decorative unless it has a `label`. Takes the size of the text and its colour. */
export function Icon({ name, label }: { name: IconName; label?: string }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      focusable="false"
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <path d={paths[name]} />
    </svg>
  );
}
