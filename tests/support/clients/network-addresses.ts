/** Addresses that a site tells apart, one after the other: everybody is in a household of their own, as visitors are. */
export function networkAddresses(network: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${network}.${Math.floor(count / 250)}.${(count % 250) + 1}`;
  };
}
