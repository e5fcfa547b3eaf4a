/** What a plan is made of, each on a line of its own: a point may have commas in it. */
export function Points({ points }: { points: readonly string[] }) {
  return (
    <ul className="points">
      {points.map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  );
}
