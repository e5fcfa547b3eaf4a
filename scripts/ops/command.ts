export type Call = { method: "GET" | "POST"; path: string; body?: object };
type Paging = { after: string | undefined };

export type Command = {
  /** Its syntax: required arguments in capitals, optional ones in brackets. */
  takes: string;
  does: string;
  accepted?: readonly string[];
  ask: (args: string[], paging: Paging) => Call;
};

export function get(path: string, query: Record<string, string | undefined>): Call {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "",
  );
  return { method: "GET", path: given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path };
}

export function post(path: string, body: object): Call {
  return { method: "POST", path, body };
}
