/** The requested number of elements, each with a class, an attribute and some words. */
export default function Elements({ params }: { params: { count: string } }) {
  return (
    <main>
      {Array.from({ length: Number(params.count) / 2 }, (_, nth) => (
        <p className="line" key={nth} id={`line-${nth}`}>
          <span className="words">Twenty-five letters of it.</span>
        </p>
      ))}
    </main>
  );
}
