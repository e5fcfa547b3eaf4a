import { env } from "cloudflare:workers";
import Elements from "./elements.tsx";

/** Two trips to the database side by side that read nothing: the least that a page for somebody signed in can ask. */
export async function loader() {
  const trips = [1, 2].map((nth) => env.DB.prepare("select ? as nth").bind(nth).all<{ nth: number }>());
  const [who, what] = await Promise.all(trips);
  return { who: who?.results, what: what?.results };
}

export default Elements;
