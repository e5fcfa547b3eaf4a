/** Icons on a 20 px grid; the style sheet sets their stroke. Remove one that nothing uses any more. */
const paths = {
  check: "m4 10.5 4 4 8-9",
  clock: "M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15ZM10 6v4.2l2.8 1.8",
  alert: "M10 3 2.5 16.5h15ZM10 8v4M10 14.3v.01",
  info: "M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15ZM10 9.3v4.2M10 6.5v.01",
  "chevron-down": "m5.5 8 4.5 4.5L14.5 8",
  "chevron-left": "M12 5.5 7.5 10l4.5 4.5",
  "chevron-right": "m8 5.5 4.5 4.5L8 14.5",
  copy: "M7 7h9.5v9.5H7zM4.5 13h-1V3.5H13v1",
  share: "M10 12.5V2.5M6.5 6 10 2.5 13.5 6M4 10v7h12v-7",
  key: "M13 10.5a3.7 3.7 0 1 0-3.5-2.5L3 14.5V17h3v-2h2v-2l2.5-2.5M13.7 6.3v.01",
  download: "M10 3v10M6 9.5l4 4 4-4M3.5 17h13",
} as const;

export type IconName = keyof typeof paths;

/** Decorative: the text beside it says the same. Inherits the text's size and colour. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
