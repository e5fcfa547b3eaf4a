export const meta = () => [{ title: "A bare page" }];

export default function Page() {
  return <h1>A bare page</h1>;
}
