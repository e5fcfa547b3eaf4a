/** The token of `Authorization: Bearer …`; empty: there is none that could be one. */
export function readBearerToken(request: Request): string {
  return /^Bearer +([\w.~+/-]{1,200}=*) *$/i.exec(request.headers.get("Authorization") ?? "")?.[1] ?? "";
}
