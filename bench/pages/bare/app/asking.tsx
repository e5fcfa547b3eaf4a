import { env } from "cloudflare:workers";
import Elements from "./elements.tsx";

/** Two concurrent database queries that read nothing: the minimum for a signed-in visitor's page. */
export async function loader() {
  const trips = [1, 2].map((nth) => env.DB.prepare("select ? as nth").bind(nth).all<{ nth: number }>());
  const [who, what] = await Promise.all(trips);
  return { who: who?.results, what: what?.results };
}

export default Elements;
