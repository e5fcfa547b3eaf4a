import { data } from "react-router";
import { fileNamePart } from "#app/core/text/file-name.ts";
import { appContext } from "#app/http/request/contexts.ts";
import { readCookie } from "#app/http/request/cookies.ts";
import type { Route } from "./+types/route";
import { findDeclared } from "../reads.server.ts";
import { cancelMessages } from "../messages.ts";
import { sayDeclaration } from "../say-declaration.ts";

/** For the customer to keep (§ 312k (3) BGB): what was declared, with date and time. 404 in any other browser. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { product } = app;
  const declared = product.cancellationPage === "on" ? await findDeclared(app, readCookie(request, "cancelled")) : null;
  if (!declared) throw data(null, { status: 404 });
  const lines = sayDeclaration(product, declared).map(({ label, value }) => `${label}: ${value}`);
  const { title, fileName } = cancelMessages.en.declared;
  return new Response(
    [`${product.name}: ${title}`, "", ...lines, "", product.seller.name, ...product.seller.address, ""].join("\r\n"),
    {
      headers: {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Disposition": `attachment; filename="${fileNamePart(product.name)}-${fileName}.txt"`,
        "Cache-Control": "no-store",
      },
    },
  );
}
