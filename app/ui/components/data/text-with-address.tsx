/** A text in which this email address is a link, if it occurs. */
export function TextWithAddress({ text, address }: { text: string; address: string }) {
  const [before, ...after] = text.split(address);
  if (after.length === 0) return text;
  return (
    <>
      {before}
      <a href={`mailto:${address}`}>{address}</a>
      {after.join(address)}
    </>
  );
}
