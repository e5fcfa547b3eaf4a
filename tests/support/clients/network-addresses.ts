/** Unique network addresses, one after the other: each caller has its own network, as visitors do. */
export function networkAddresses(network: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${network}.${Math.floor(count / 250)}.${(count % 250) + 1}`;
  };
}
