import { readOrders } from "../../../../../../orders-page.ts";

type Load = { params: { account: string; lines: string }; platform: { env: { DB: unknown } } };

export const load = async ({ params, platform }: Load) => ({
  page: await readOrders(platform.env.DB, params.account),
  lines: Number(params.lines),
});
