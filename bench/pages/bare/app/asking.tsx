import { env } from "cloudflare:workers";
import Elements from "./elements.tsx";

type LoaderArgs = { params: { statements: string } };

/** Statements that read nothing, in at most two concurrent round trips: the minimum for a signed-in visitor's page. */
export async function loader({ params }: LoaderArgs) {
  const select = (nth: number) => env.DB.prepare("select ? as nth").bind(nth);
  const others = Array.from({ length: Number(params.statements) - 1 }, (_, nth) => select(nth));
  const [who, what] = await Promise.all([
    select(0).all<{ nth: number }>(),
    others.length > 0 ? env.DB.batch<{ nth: number }>(others) : [],
  ]);
  return { who: who.results, what: what.map(({ results }) => results) };
}

export default Elements;
