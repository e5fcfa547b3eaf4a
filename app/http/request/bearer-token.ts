/** The token of `Authorization: Bearer …`. Empty if the header has none, or none that could be ours. */
export function readBearerToken(request: Request): string {
  return /^Bearer +([\w.~+/-]{1,200}=*) *$/i.exec(request.headers.get("Authorization") ?? "")?.[1] ?? "";
}
