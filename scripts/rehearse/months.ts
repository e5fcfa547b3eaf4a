/** The months of a year as `YYYY-MM`, from the one that has this time. */
export function monthsFrom(at: number): string[] {
  const first = new Date(at);
  return Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + index)).toISOString().slice(0, 7),
  );
}
